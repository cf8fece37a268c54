package io.millrace.connector.spdy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The preset dictionary for the compression of header blocks: 1,423 octets (SPDY/3, 2.6.10.1). */
final class SpdyDictionary {

    /** Each is preceded by its length, as it is in a header block. */
    private static final String[] TEXTS = {
        "options",
        "head",
        "post",
        "put",
        "delete",
        "trace",
        "accept",
        "accept-charset",
        "accept-encoding",
        "accept-language",
        "accept-ranges",
        "age",
        "allow",
        "authorization",
        "cache-control",
        "connection",
        "content-base",
        "content-encoding",
        "content-language",
        "content-length",
        "content-location",
        "content-md5",
        "content-range",
        "content-type",
        "date",
        "etag",
        "expect",
        "expires",
        "from",
        "host",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-range",
        "if-unmodified-since",
        "last-modified",
        "location",
        "max-forwards",
        "pragma",
        "proxy-authenticate",
        "proxy-authorization",
        "range",
        "referer",
        "retry-after",
        "server",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "vary",
        "via",
        "warning",
        "www-authenticate",
        "method",
        "get",
        "status",
        "200 OK",
        "version",
        "HTTP/1.1",
        "url",
        "public",
        "set-cookie",
        "keep-alive",
        "origin"
    };

    /** Parts of values, without lengths. */
    private static final String REST =
            "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505"
                    + "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized"
                    + "403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable"
                    + "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT"
                    + "chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,"
                    + "text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

    private static final byte[] OCTETS = octets();

    private SpdyDictionary() {}

    private static byte[] octets() {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(1423);
        for (String text : TEXTS) {
            octets.writeBytes(ByteBuffer.allocate(4).putInt(text.length()).array());
            octets.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
        octets.writeBytes(REST.getBytes(StandardCharsets.US_ASCII));
        return octets.toByteArray();
    }

    /** The octets, which must not be modified. */
    static byte[] get() {
        return OCTETS;
    }
}
