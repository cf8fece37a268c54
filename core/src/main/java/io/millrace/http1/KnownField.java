package io.millrace.http1;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A common header name, for which no string is allocated, and its role in the protocol. */
final class KnownField {

    /** The role of a field in the protocol. */
    enum Role {
        PLAIN,
        HOST,
        CONTENT_LENGTH,
        TRANSFER_ENCODING,
        CONNECTION,
        EXPECT
    }

    /** Fields with the same few values in most requests: one string is shared by all that have it. */
    private static final String[] REPEATED = {
        "Accept",
        "Accept-Charset",
        "Accept-Encoding",
        "Accept-Language",
        "Access-Control-Request-Headers",
        "Access-Control-Request-Method",
        "Cache-Control",
        "Content-Encoding",
        "Content-Language",
        "Content-Type",
        "DNT",
        "HTTP2-Settings",
        "Keep-Alive",
        "Max-Forwards",
        "Origin",
        "Pragma",
        "Priority",
        "Proxy-Connection",
        "Sec-CH-UA",
        "Sec-CH-UA-Mobile",
        "Sec-CH-UA-Platform",
        "Sec-Fetch-Dest",
        "Sec-Fetch-Mode",
        "Sec-Fetch-Site",
        "Sec-Fetch-User",
        "Sec-GPC",
        "Sec-WebSocket-Extensions",
        "Sec-WebSocket-Version",
        "SOAPAction",
        "TE",
        "Upgrade",
        "Upgrade-Insecure-Requests",
        "User-Agent",
        "Via",
        "X-Forwarded-Host",
        "X-Forwarded-Port",
        "X-Forwarded-Proto",
        "X-Requested-With"
    };

    /** Fields whose values differ, or may be secrets of a client: subprotocols of WebSocket are used for tokens. */
    private static final String[] VARIED = {
        "Authorization",
        "Content-Disposition",
        "Cookie",
        "Date",
        "Forwarded",
        "If-Match",
        "If-Modified-Since",
        "If-None-Match",
        "If-Range",
        "If-Unmodified-Since",
        "Proxy-Authorization",
        "Range",
        "Referer",
        "Sec-WebSocket-Key",
        "Sec-WebSocket-Protocol",
        "Trailer",
        "X-CSRF-Token",
        "X-Forwarded-For",
        "X-Real-IP",
        "X-Request-ID"
    };

    private static final int SLOTS = 256;
    private static final @Nullable KnownField[] TABLE = new @Nullable KnownField[SLOTS];

    static {
        for (String name : REPEATED) {
            enter(name, Role.PLAIN, true);
        }
        for (String name : VARIED) {
            enter(name, Role.PLAIN, false);
        }
        enter("Host", Role.HOST, true);
        enter("Content-Length", Role.CONTENT_LENGTH, false);
        enter("Transfer-Encoding", Role.TRANSFER_ENCODING, true);
        enter("Connection", Role.CONNECTION, true);
        enter("Expect", Role.EXPECT, true);
    }

    private final String usual;
    private final String lower;
    private final byte[] usualBytes;
    private final byte[] lowerBytes;
    private final Role role;
    private final boolean repeated;

    private KnownField(String usual, Role role, boolean repeated) {
        this.usual = usual;
        this.role = role;
        this.repeated = repeated;
        lower = usual.toLowerCase(Locale.ROOT);
        usualBytes = Octets.ascii(usual);
        lowerBytes = Octets.ascii(lower);
    }

    /**
     * The known name equal to these bytes, ignoring case; null if there is none.
     *
     * @param hash the hash of the octets in lower case: {@code 31 * hash + octet}, starting at 0
     */
    static @Nullable KnownField find(byte[] bytes, int from, int to, int hash) {
        int slot = hash & (SLOTS - 1);
        KnownField name = TABLE[slot];
        while (name != null && !name.isWritten(bytes, from, to)) {
            slot = (slot + 1) & (SLOTS - 1);
            name = TABLE[slot];
        }
        return name;
    }

    Role role() {
        return role;
    }

    /** Whether most requests have the same few values. */
    boolean isRepeated() {
        return repeated;
    }

    /** The name as spelled here; allocates nothing for the usual spelling and for lower case. */
    String spelling(byte[] bytes, int from, int to) {
        if (Arrays.equals(usualBytes, 0, usualBytes.length, bytes, from, to)) {
            return usual;
        }
        return Arrays.equals(lowerBytes, 0, lowerBytes.length, bytes, from, to) ? lower : Octets.text(bytes, from, to);
    }

    private boolean isWritten(byte[] bytes, int from, int to) {
        if (to - from != lowerBytes.length) {
            return false;
        }
        for (int i = 0; i < lowerBytes.length; i++) {
            if (Octets.TOKEN_LOWER[bytes[from + i] & 0xff] != lowerBytes[i]) {
                return false;
            }
        }
        return true;
    }

    private static void enter(String text, Role role, boolean repeated) {
        KnownField name = new KnownField(text, role, repeated);
        int hash = 0;
        for (byte octet : name.lowerBytes) {
            hash = 31 * hash + octet;
        }
        int slot = hash & (SLOTS - 1);
        while (TABLE[slot] != null) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        TABLE[slot] = name;
    }
}
