package io.millrace.connector.spdy;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses the header blocks of one connection, which are one zlib stream (SPDY/3, 2.6.10.1), as their octets come: nothing
 * of a block is kept but what it says. What a block may expand to is bounded before anything is made of it.
 */
final class HeaderInflater {

    private static final int SCRATCH = 1024;
    private static final byte[] NO_OCTETS = {};
    private static final ByteBuffer NOTHING = ByteBuffer.wrap(NO_OCTETS);

    private final int most;

    /** Null before the first block: it takes about 10 KiB beside the heap. */
    private @Nullable Inflater inflater;

    private @Nullable NameValueBlock block;
    private byte[] scratch = NO_OCTETS;
    private long inflated;

    /**
     * Of a connection that has just begun.
     *
     * @param most octets a block may have, decompressed
     */
    HeaderInflater(int most) {
        this.most = most;
    }

    /** A block begins. */
    void begin(NameValueBlock to) {
        block = to;
        scratch = new byte[SCRATCH];
        inflated = 0;
        if (inflater == null) {
            inflater = new Inflater();
        }
    }

    /** Octets of the block have come. Reads all of them. */
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
                if (inflated > most) {
                    throw new ConnectionFault(
                            Fault.ENHANCE_YOUR_CALM,
                            "a header block of more than " + most + " octets; to allow more, raise maxHttpHeaderSize");
                }
                to.read(scratch, length);
                length = inflate(used);
            }
        } catch (DataFormatException | IllegalArgumentException wrong) {
            throw lost();
        } finally {
            used.setInput(NOTHING); // the buffer is another's
        }
        if (used.finished() || compressed.hasRemaining()) {
            throw lost();
        }
    }

    private int inflate(Inflater from) throws DataFormatException {
        int length = from.inflate(scratch);
        if (length == 0 && from.needsDictionary()) {
            from.setDictionary(SpdyDictionary.get());
            length = from.inflate(scratch);
        }
        return length;
    }

    private static ConnectionFault lost() {
        return new ConnectionFault(
                Fault.COMPRESSION, "a header block that does not continue the connection's zlib stream");
    }

    /** The block's last octet was read: it has to be complete, so that the next one begins where it should. */
    void end() throws ConnectionFault {
        NameValueBlock whole = block;
        block = null;
        scratch = NO_OCTETS;
        if (whole == null || !whole.isComplete()) {
            throw new ConnectionFault(Fault.COMPRESSION, "a header block that is shorter than its lengths state");
        }
    }

    /** The connection is closed. */
    void close() {
        block = null;
        if (inflater != null) {
            inflater.end();
            inflater = null;
        }
    }
}
