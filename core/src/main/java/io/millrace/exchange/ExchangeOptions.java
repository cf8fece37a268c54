package io.millrace.exchange;

import java.util.Objects;

/**
 * The settings of exchanges.
 *
 * @param outputLimit how many bytes of a response may be buffered for a slow client before the writing thread blocks
 * @param errors writes the bodies of error responses
 */
public record ExchangeOptions(int outputLimit, ErrorResponder errors) {

    /** 1 MiB: a large page is buffered completely, so that a slow client does not block its worker. */
    public static final int DEFAULT_OUTPUT_LIMIT = 1024 * 1024;

    public ExchangeOptions {
        Objects.requireNonNull(errors);
        if (outputLimit < 1) {
            throw new IllegalArgumentException("outputLimit is " + outputLimit + " bytes; expected at least 1");
        }
    }

    /** The default output limit, and plain-text error responses that contain only the status. */
    public static ExchangeOptions defaults() {
        return new ExchangeOptions(DEFAULT_OUTPUT_LIMIT, new PlainErrorResponder());
    }
}
