package io.millrace.http;

/** Which octets a request target may hold (RFC 3986, 3.3 and 3.4), and what a connector allows beyond. Immutable. */
public final class TargetOctets {

    private static final String UNRESERVED_AND_SUB_DELIMS = "-._~!$&'()*+,;=";

    private final boolean[] path = new boolean[256];
    private final boolean[] query = new boolean[256];

    /**
     * Those of RFC 3986, and some that it does not allow.
     *
     * @param relaxedPath octets that a path may hold beyond
     * @param relaxedQuery octets that a query may hold beyond
     */
    public TargetOctets(String relaxedPath, String relaxedQuery) {
        for (char c = '0'; c <= 'z'; c++) {
            path[c] = c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a';
        }
        allow(path, UNRESERVED_AND_SUB_DELIMS + ":@%/");
        System.arraycopy(path, 0, query, 0, path.length);
        allow(query, "?");
        allow(path, relaxedPath);
        allow(query, relaxedQuery);
    }

    /** For each octet, whether a path may hold it; not to be changed. */
    public boolean[] path() {
        return path;
    }

    /** The same for queries. */
    public boolean[] query() {
        return query;
    }

    /** Does a text, whose characters are octets, hold only these from an index on? */
    public static boolean areAll(boolean[] octets, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!octets[text.charAt(i)]) {
                return false;
            }
        }
        return true;
    }

    private static void allow(boolean[] octets, String more) {
        for (int i = 0; i < more.length(); i++) {
            octets[more.charAt(i)] = true;
        }
    }
}
