package io.millrace.http;

/**
 * The octets that request targets may contain: those of RFC 3986 (3.3 and 3.4), and those that a connector additionally
 * allows. Immutable.
 */
public final class TargetOctets {

    private static final String UNRESERVED_AND_SUB_DELIMS = "-._~!$&'()*+,;=";

    private final boolean[] path = new boolean[256];
    private final boolean[] query = new boolean[256];

    /**
     * The octets of RFC 3986 and additional ones.
     *
     * @param relaxedPath octets that are additionally allowed in paths
     * @param relaxedQuery octets that are additionally allowed in queries
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

    /** For each octet, whether a path may contain it. The array must not be modified. */
    public boolean[] path() {
        return path;
    }

    /** For each octet, whether a query may contain it. The array must not be modified. */
    public boolean[] query() {
        return query;
    }

    /** Whether a range of a text, whose characters are octets, consists of these octets only. */
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
