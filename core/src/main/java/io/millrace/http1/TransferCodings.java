package io.millrace.http1;

import java.util.Locale;
import java.util.Set;

/** The registered transfer codings that are not supported here (RFC 9112, 7). */
final class TransferCodings {

    private static final Set<String> REGISTERED = Set.of("gzip", "x-gzip", "deflate", "compress", "x-compress");

    private TransferCodings() {}

    /** Whether this is a valid list that ends with its only chunked: the request is valid, but its codings are not supported. */
    static boolean endInChunked(String value) {
        String[] codings = value.toLowerCase(Locale.ROOT).split(",", -1);
        for (int i = 0; i < codings.length - 1; i++) {
            if (!REGISTERED.contains(codings[i].strip())) {
                return false;
            }
        }
        return codings[codings.length - 1].strip().equals("chunked");
    }
}
