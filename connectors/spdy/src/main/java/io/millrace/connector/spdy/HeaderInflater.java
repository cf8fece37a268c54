package io.millrace.connector.spdy;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses the header blocks of one connection, which are one zlib stream (SPDY/3, 2.6.10.1), as their octets arrive: the
 * compressed block is not buffered. The decompressed size of a block is limited, before its contents are parsed.
 */
final class HeaderInflater {

    private static final int SCRATCH = 1024;
    private static final byte[] NO_OCTETS = {};
    private static final ByteBuffer NOTHING = ByteBuffer.wrap(NO_OCTETS);

    private final int maxLength;

    /** Null before the first block, because it takes about 10 KiB of native memory. */
    private @Nullable Inflater inflater;

    private @Nullable NameValueBlock block;
    private byte[] scratch = NO_OCTETS;
    private long inflated;

    /**
     * Creates the inflater of a new connection.
     *
     * @param maxLength the most octets of a decompressed block
     */
    HeaderInflater(int maxLength) {
        this.maxLength = maxLength;
    }

    /** Begins a block. */
    void begin(NameValueBlock to) {
        block = to;
        scratch = new byte[SCRATCH];
        inflated = 0;
        if (inflater == null) {
            inflater = new Inflater();
        }
    }

    /** Decompresses octets of the block, reading all of them. */
    void read(ByteBuffer compressed) throws ConnectionFault {
        Inflater used = inflater;
        NameValueBlock to = block;
        if (used == null || to == null) {
            throw new IllegalStateException("no header block has begun");
        }
        used.setInput(compressed);
        try {
            int length = inflate(used);
            while (length > 0) {
                inflated += length;
                if (inflated > maxLength) {
                    throw new ConnectionFault(
                            Fault.ENHANCE_YOUR_CALM,
                            "a header block of more than " + maxLength
                                    + " octets; to allow more, raise maxHttpHeaderSize");
                }
                to.read(scratch, length);
                length = inflate(used);
            }
        } catch (DataFormatException | IllegalArgumentException malformed) {
            throw outOfSync();
        } finally {
            used.setInput(NOTHING); // the buffer belongs to the caller
        }
        if (used.finished() || compressed.hasRemaining()) {
            throw outOfSync();
        }
    }

    private int inflate(Inflater from) throws DataFormatException {
        int length = from.inflate(scratch);
        if (length == 0 && from.needsDictionary()) {
            from.setDictionary(Dictionary.get());
            length = from.inflate(scratch);
        }
        return length;
    }

    private static ConnectionFault outOfSync() {
        return new ConnectionFault(
                Fault.COMPRESSION, "a header block that does not continue the connection's zlib stream");
    }

    /** Ends the block, which must be complete: otherwise the start of the next one is unknown. */
    void end() throws ConnectionFault {
        NameValueBlock whole = block;
        block = null;
        scratch = NO_OCTETS;
        if (whole == null || !whole.isComplete()) {
            throw new ConnectionFault(Fault.COMPRESSION, "a header block that is shorter than its lengths state");
        }
    }

    /** Frees the native memory. Called when the connection is closed. */
    void close() {
        block = null;
        if (inflater != null) {
            inflater.end();
            inflater = null;
        }
    }

    /** The preset dictionary for the compression of header blocks: 1,423 octets (SPDY/3, 2.6.10.1). */
    static final class Dictionary {

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

        private static final byte[] OCTETS = bytes();

        private Dictionary() {}

        private static byte[] bytes() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(1423);
            for (String text : TEXTS) {
                bytes.writeBytes(ByteBuffer.allocate(4).putInt(text.length()).array());
                bytes.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
            }
            bytes.writeBytes(REST.getBytes(StandardCharsets.US_ASCII));
            return bytes.toByteArray();
        }

        /** The octets, which must not be modified. */
        static byte[] get() {
            return OCTETS;
        }
    }
}
