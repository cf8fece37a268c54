package io.millrace.http1;

/** Which octets a request target may hold (RFC 3986, 3.3 and 3.4), and what a connector allows beyond. */
final class TargetOctets {

    private static final String UNRESERVED_AND_SUB_DELIMS = "-._~!$&'()*+,;=";

    private final boolean[] path = new boolean[256];
    private final boolean[] query = new boolean[256];

    TargetOctets(String relaxedPath, String relaxedQuery) {
        for (char c = '0'; c <= 'z'; c++) {
            path[c] = c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a';
        }
        allow(path, UNRESERVED_AND_SUB_DELIMS + ":@%/");
        System.arraycopy(path, 0, query, 0, path.length);
        allow(query, "?");
        allow(path, relaxedPath);
        allow(query, relaxedQuery);
    }

    boolean[] path() {
        return path;
    }

    boolean[] query() {
        return query;
    }

    private static void allow(boolean[] octets, String more) {
        for (int i = 0; i < more.length(); i++) {
            octets[more.charAt(i)] = true;
        }
    }
}
