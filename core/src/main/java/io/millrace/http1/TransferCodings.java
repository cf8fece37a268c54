package io.millrace.http1;

import java.util.Locale;
import java.util.Set;

/** Transfer codings that are registered but not offered here (RFC 9112, 7). */
final class TransferCodings {

    private static final Set<String> REGISTERED = Set.of("gzip", "x-gzip", "deflate", "compress", "x-compress");

    private TransferCodings() {}

    /** Is this a proper list that ends in its only chunked, so that the request is right and only we cannot serve it? */
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
