package io.millrace.connector.spdy;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import java.nio.ByteBuffer;
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
            from.setDictionary(SpdyDictionary.get());
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
}
