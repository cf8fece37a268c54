package io.millrace.exchange;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A short id of the failure of a request, which is shown on the error page and logged with the failure, so that an
 * operator finds the log entry for an error page. It is random and reveals nothing about the server. Used by the owner
 * of the exchange.
 */
public final class FailureReference {

    private static final AttributeKey<String> KEY = AttributeKey.of("failure reference", String.class);

    /** Without I, L, O and U, which are easily misread or misheard (Crockford's Base32). */
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static final int LENGTH = 8;

    private FailureReference() {}

    /** The id of this request's failure; null if no failure has been logged. */
    public static @Nullable String of(HttpExchange exchange) {
        return exchange.attribute(KEY);
    }

    /** The id of this request's failure, which the caller is about to log; created on the first call. */
    public static String give(HttpExchange exchange) {
        String given = of(exchange);
        if (given != null) {
            return given;
        }
        String reference = random();
        exchange.attributes().put(KEY, reference);
        return reference;
    }

    private static String random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        StringBuilder text = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            text.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
        }
        return text.toString();
    }
}
