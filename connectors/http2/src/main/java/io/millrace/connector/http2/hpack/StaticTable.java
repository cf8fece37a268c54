package io.millrace.connector.http2.hpack;

import java.util.HashMap;
import java.util.Map;

/** The static table (RFC 7541, appendix A). Its strings are literals, and therefore interned. */
final class StaticTable {

    /** The number of its fields; their indices are 1 to this. */
    static final int SIZE = 61;

    static final int STATUS_200 = 8;

    /** Name and value of each field, alternating. */
    private static final String[] FIELDS = {
        ":authority", "",
        ":method", "GET",
        ":method", "POST",
        ":path", "/",
        ":path", "/index.html",
        ":scheme", "http",
        ":scheme", "https",
        ":status", "200",
        ":status", "204",
        ":status", "206",
        ":status", "304",
        ":status", "400",
        ":status", "404",
        ":status", "500",
        "accept-charset", "",
        "accept-encoding", "gzip, deflate",
        "accept-language", "",
        "accept-ranges", "",
        "accept", "",
        "access-control-allow-origin", "",
        "age", "",
        "allow", "",
        "authorization", "",
        "cache-control", "",
        "content-disposition", "",
        "content-encoding", "",
        "content-language", "",
        "content-length", "",
        "content-location", "",
        "content-range", "",
        "content-type", "",
        "cookie", "",
        "date", "",
        "etag", "",
        "expect", "",
        "expires", "",
        "from", "",
        "host", "",
        "if-match", "",
        "if-modified-since", "",
        "if-none-match", "",
        "if-range", "",
        "if-unmodified-since", "",
        "last-modified", "",
        "link", "",
        "location", "",
        "max-forwards", "",
        "proxy-authenticate", "",
        "proxy-authorization", "",
        "range", "",
        "referer", "",
        "refresh", "",
        "retry-after", "",
        "server", "",
        "set-cookie", "",
        "strict-transport-security", "",
        "transfer-encoding", "",
        "user-agent", "",
        "vary", "",
        "via", "",
        "www-authenticate", ""
    };

    private static final Map<String, Integer> FIRST = new HashMap<>();

    static {
        for (int i = SIZE; i >= 1; i--) {
            FIRST.put(name(i), i);
        }
    }

    private StaticTable() {}

    /** The name of the field with this index, 1 to {@link #SIZE}. */
    static String name(int index) {
        return FIELDS[2 * index - 2];
    }

    /** Its value, often empty. */
    static String value(int index) {
        return FIELDS[2 * index - 1];
    }

    /** The index of the first field of this name, which is in lower case; 0 if there is none. */
    static int find(String name) {
        return FIRST.getOrDefault(name, 0);
    }
}
