package io.millrace.exchange;

import java.util.Objects;

/**
 * How exchanges behave.
 *
 * @param outputLimit bytes that one response may hold in memory while its client reads slowly, before its worker waits
 * @param errors writes the bodies of error responses
 */
public record ExchangeOptions(int outputLimit, ErrorResponder errors) {

    /** 1 MiB: a large page is taken off its worker's hands at once, however slow the client. */
    public static final int DEFAULT_OUTPUT_LIMIT = 1024 * 1024;

    public ExchangeOptions {
        Objects.requireNonNull(errors);
        if (outputLimit < 1) {
            throw new IllegalArgumentException("outputLimit is " + outputLimit + " bytes, expected at least 1");
        }
    }

    /** 1 MiB per response; plain-text errors that say no more than the status. */
    public static ExchangeOptions defaults() {
        return new ExchangeOptions(DEFAULT_OUTPUT_LIMIT, new PlainErrorResponder());
    }
}
