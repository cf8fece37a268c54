package io.millrace.http1;

import io.millrace.http.Method;
import java.util.Arrays;

/** The strings of common methods, so that parsing allocates none. */
final class Methods {

    private static final String[] USUAL = {
        Method.GET,
        Method.POST,
        Method.HEAD,
        Method.PUT,
        Method.DELETE,
        Method.OPTIONS,
        Method.PATCH,
        Method.CONNECT,
        Method.TRACE,
        Method.PROPFIND
    };
    private static final byte[][] USUAL_BYTES =
            Arrays.stream(USUAL).map(Octets::ascii).toArray(byte[][]::new);

    private Methods() {}

    static String text(byte[] bytes, int from, int to) {
        for (int i = 0; i < USUAL.length; i++) {
            if (isSame(USUAL_BYTES[i], bytes, from, to)) {
                return USUAL[i];
            }
        }
        return Octets.text(bytes, from, to);
    }

    private static boolean isSame(byte[] usual, byte[] bytes, int from, int to) {
        return usual.length == to - from
                && usual[0] == bytes[from]
                && Arrays.equals(usual, 0, usual.length, bytes, from, to);
    }
}
