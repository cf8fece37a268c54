package io.millrace.exchange;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A short name for the failure of a request: the error page shows it, and the line of the log that tells of the failure has
 * it too, so that an operator finds the one by the other. It is random and reveals nothing of the server. For the
 * owner of the exchange.
 */
public final class FailureReference {

    private static final AttributeKey<String> KEY = AttributeKey.of("failure reference", String.class);

    /** Without I, L, O and U, which are misread, and misheard on the telephone (Crockford's Base32). */
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static final int LENGTH = 8;

    private FailureReference() {}

    /** The one that was given to this request's failure; null if nothing of it was logged. */
    public static @Nullable String of(HttpExchange exchange) {
        return exchange.attributes().get(KEY);
    }

    /** The one of this request's failure, which is about to be logged; a new one for its first failure. */
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
