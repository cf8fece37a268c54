package io.millrace.compression;

import io.millrace.exchange.BodySource;
import io.millrace.http.Headers;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.protocol.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses the body of a request in gzip or deflate as it arrives. Used by the owner of the exchange; may be closed
 * by any thread.
 */
final class InflatingSource implements BodySource {

    private final BodySource compressed;
    private final BufferPool pool;
    private final long maxBytes;
    private final CRC32 crc = new CRC32();

    // guarded by this
    private final Inflater inflater;

    /** The header and trailer of the current member; null for deflate. */
    private @Nullable GzipFrame frame;

    /** The number of decompressed bytes of the current member. */
    private long memberSize;

    private @Nullable Chunk input;
    private long written;
    private boolean complete;
    private boolean ended;
    private boolean closed;

    InflatingSource(BodySource compressed, BufferPool pool, boolean gzip, long maxBytes) {
        this.compressed = compressed;
        this.pool = pool;
        this.maxBytes = maxBytes;
        frame = gzip ? new GzipFrame() : null;
        inflater = new Inflater(gzip);
    }

    @Override
    public synchronized @Nullable Chunk read() throws IOException {
        while (!ended) {
            if (closed) {
                throw new IOException("the exchange has ended");
            }
            Chunk in = input;
            if (in == null) {
                in = compressed.read();
                if (in == null) {
                    return null;
                }
                if (in.isEnd()) {
                    requireComplete();
                    ended = true;
                    return in;
                }
                input = in;
            }
            Chunk out = decode(in.bytes());
            if (out != null) {
                return out;
            }
            if (!in.bytes().hasRemaining()) {
                input = null;
                in.release();
            }
        }
        return Chunk.END;
    }

    @Override
    public @Nullable Headers trailers() {
        return compressed.trailers();
    }

    /** Decompresses as much of these bytes as fits into one chunk; null if there is no output. */
    private @Nullable Chunk decode(ByteBuffer in) throws IOException {
        if (frame != null && !frame.readHead(in)) {
            return null;
        }
        Chunk out = inflater.finished() ? null : inflate(in);
        if (out == null && inflater.finished()) {
            end(in);
        }
        return out;
    }

    private @Nullable Chunk inflate(ByteBuffer in) throws IOException {
        Chunk out = pool.lease();
        boolean kept = false;
        try {
            inflater.setInput(in);
            inflater.inflate(out.bytes());
            out.bytes().flip();
            kept = out.bytes().hasRemaining();
            written += out.bytes().remaining();
            memberSize += out.bytes().remaining();
            if (written > maxBytes) {
                kept = false;
                throw new ProtocolException(413, "the decompressed request body is larger than " + maxBytes + " bytes");
            }
            if (inflater.needsDictionary()) {
                throw new ProtocolException(
                        400, "a request's body requires a preset dictionary, which is not supported");
            }
            crc.update(out.bytes().duplicate());
        } catch (DataFormatException e) {
            kept = false;
            throw new ProtocolException(400, "cannot decompress a request's body: " + e.getMessage());
        } finally {
            if (!kept) {
                out.release();
            }
        }
        return kept ? out : null;
    }

    /** The data has ended; in gzip the trailer follows, and possibly another member (RFC 1952, 2.2). */
    private void end(ByteBuffer in) throws IOException {
        if (!complete) {
            complete = frame == null || frame.readTrailer(in);
            if (complete && frame != null && !frame.matches(crc.getValue(), memberSize)) {
                throw new ProtocolException(400, "a request's gzip body has a wrong checksum or length");
            }
        }
        if (complete && in.hasRemaining() && frame != null) {
            complete = false;
            frame = new GzipFrame();
            inflater.reset();
            crc.reset();
            memberSize = 0;
        } else if (complete && in.hasRemaining()) {
            throw new ProtocolException(400, "a request's compressed body is followed by further bytes");
        }
    }

    private void requireComplete() throws IOException {
        if (!complete) {
            throw new ProtocolException(400, "a request's compressed body is truncated");
        }
    }

    @Override
    public void awaitReadable(Runnable ready) {
        compressed.awaitReadable(ready);
    }

    /** Called when the exchange has ended. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            inflater.end();
            Chunk left = input;
            input = null;
            if (left != null) {
                left.release();
            }
        }
    }

    /**
     * Parses the header and trailer of a gzip member (RFC 1952, 2.3) incrementally.
     *
     * <pre>
     * FIXED ──▶ EXTRA_LENGTH ──▶ EXTRA ──▶ NAME ──▶ COMMENT ──▶ CHECK ──▶ DONE     optional parts depend on the flags
     * </pre>
     */
    private static final class GzipFrame {

        private static final int FIXED_SIZE = 10;
        private static final int TRAILER_SIZE = 8;

        /** The maximum length of the name and of the comment, which are skipped. */
        private static final int MAX_HEADER = 64 * 1024;

        private enum Part {
            FIXED,
            EXTRA_LENGTH,
            EXTRA,
            NAME,
            COMMENT,
            CHECK,
            DONE
        }

        private Part part = Part.FIXED;
        private int inPart;
        private int headerSize;
        private int flags;
        private int extra;
        private int trailerSize;
        private long trailer;

        /** Parses more of the header. True if it is complete: the remaining bytes are compressed data. */
        boolean readHead(ByteBuffer in) throws ProtocolException {
            while (part != Part.DONE && in.hasRemaining()) {
                if (++headerSize > MAX_HEADER) {
                    throw new ProtocolException(
                            400, "the header of a gzip body is larger than " + MAX_HEADER + " bytes");
                }
                take(in.get() & 0xff);
            }
            return part == Part.DONE;
        }

        private void take(int octet) throws ProtocolException {
            int at = inPart++;
            switch (part) {
                case FIXED -> fixed(at, octet);
                case EXTRA_LENGTH -> {
                    extra |= octet << 8 * at;
                    nextIf(at == 1);
                }
                case EXTRA -> nextIf(at == extra - 1);
                case NAME, COMMENT -> nextIf(octet == 0);
                case CHECK -> nextIf(at == 1);
                case DONE -> throw new IllegalStateException("the gzip header was already complete");
            }
        }

        private void fixed(int at, int octet) throws ProtocolException {
            boolean valid = switch (at) {
                case 0 -> octet == 0x1f;
                case 1 -> octet == 0x8b;
                case 2 -> octet == 8;
                default -> true;
            };
            if (!valid) {
                throw new ProtocolException(400, "a request's body has the Content-Encoding gzip, but no gzip header");
            }
            if (at == 3) {
                flags = octet;
            }
            nextIf(at == FIXED_SIZE - 1);
        }

        private void nextIf(boolean ended) {
            while (ended) {
                inPart = 0;
                part = following();
                if (isPresent()) {
                    return;
                }
            }
        }

        private Part following() {
            return switch (part) {
                case FIXED -> Part.EXTRA_LENGTH;
                case EXTRA_LENGTH -> Part.EXTRA;
                case EXTRA -> Part.NAME;
                case NAME -> Part.COMMENT;
                case COMMENT -> Part.CHECK;
                case CHECK, DONE -> Part.DONE;
            };
        }

        private boolean isPresent() {
            return switch (part) {
                case EXTRA_LENGTH -> (flags & 4) != 0;
                case EXTRA -> extra > 0;
                case NAME -> (flags & 8) != 0;
                case COMMENT -> (flags & 16) != 0;
                case CHECK -> (flags & 2) != 0;
                case FIXED, DONE -> true;
            };
        }

        /** Parses more of the checksum and length at the end. True if they are complete. */
        boolean readTrailer(ByteBuffer in) {
            while (trailerSize < TRAILER_SIZE && in.hasRemaining()) {
                trailer |= (in.get() & 0xffL) << 8 * trailerSize;
                trailerSize++;
            }
            return trailerSize == TRAILER_SIZE;
        }

        /** Whether checksum and length match the data. */
        boolean matches(long crc, long length) {
            return (trailer & 0xffffffffL) == crc && trailer >>> 32 == (length & 0xffffffffL);
        }
    }
}
