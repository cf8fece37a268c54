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
}
