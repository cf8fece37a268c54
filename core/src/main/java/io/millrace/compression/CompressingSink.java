package io.millrace.compression;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.BodySink;
import io.millrace.exchange.HttpExchange;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the body of a response, or passes it on unchanged: decided by the head and the first piece. Each piece
 * except the last is flushed, so that nothing that a handler has sent is held back.
 *
 * <p><b>Threads.</b> One piece at a time, on the sender's thread; large pieces on a worker, because an I/O thread serves
 * other connections too.
 */
final class CompressingSink implements BodySink {

    /** Pieces up to this size are compressed on the sender's thread: a tenth of a millisecond. */
    private static final long AT_ONCE = 4 * 1024;

    /** The sink of an exchange, for {@link EncodedForms}. */
    static final AttributeKey<CompressingSink> KEY = AttributeKey.of("compression", CompressingSink.class);

    private enum State {
        UNDECIDED,
        PASSING,
        COMPRESSING
    }

    private final Compression compression;
    private final HttpExchange exchange;
    private final BodySink next;
    private State state = State.UNDECIDED;
    private boolean begun;
    private @Nullable EncodedForms offered;
    private @Nullable Payload offeredFor;
    private @Nullable ContentCoding chosen;

    // guarded by this
    private @Nullable ChunkOutput compressed;
    private @Nullable OutputStream encoder;

    CompressingSink(Compression compression, HttpExchange exchange, BodySink next) {
        this.compression = compression;
        this.exchange = exchange;
        this.next = next;
    }

    /** Records that a payload is content whose compressed forms are cached. */
    void offered(EncodedForms forms, Payload whole) {
        offered = forms;
        offeredFor = whole;
    }

    @Override
    public void write(Payload piece, boolean last, Completion completion) {
        if (state == State.UNDECIDED) {
            try {
                decide(piece, last);
            } catch (IOException e) {
                completion.done(e);
                return;
            }
        }
        ByteBuffer known = state == State.COMPRESSING ? known(piece, last) : null;
        if (known != null) {
            exchange.response().contentLength(known.remaining());
            next.write(Payload.of(known), true, completion);
        } else if (state == State.PASSING) {
            next.write(piece, last, completion);
        } else if (isQuick(piece)) {
            compress(piece, last, completion);
        } else {
            onWorker(() -> compress(piece, last, completion));
        }
    }

    /** The cached result of compressing the same bytes. */
    private @Nullable ByteBuffer known(Payload piece, boolean last) {
        EncodedForms forms = forms(piece, last);
        return forms == null || chosen == null ? null : forms.in(chosen.name());
    }

    @SuppressWarnings("ReferenceEquality") // this very payload
    private @Nullable EncodedForms forms(Payload piece, boolean last) {
        return last && !begun && offeredFor == piece ? offered : null;
    }

    private void decide(Payload piece, boolean last) throws IOException {
        long announced = exchange.response().contentLength();
        long length = announced < 0 && last && !Compression.isHead(exchange) ? piece.remaining() : announced;
        boolean isLargeFile = piece instanceof Payload.FileRegion && length > Compression.LARGEST_FILE;
        ContentCoding coding = isLargeFile ? null : compression.choose(exchange, length);
        if (coding == null) {
            state = State.PASSING;
            return;
        }
        Compression.describe(exchange, coding);
        if (Compression.isHead(exchange)) {
            state = State.PASSING; // the head is the same as for GET
            return;
        }
        state = State.COMPRESSING;
        chosen = coding;
        if (known(piece, last) == null) {
            open(coding);
        }
    }

    private void open(ContentCoding coding) throws IOException {
        ChunkOutput output = new ChunkOutput(exchange.channel().buffers());
        synchronized (this) {
            compressed = output;
            encoder = coding.open(output);
        }
        exchange.onEnd(outcome -> close());
    }

    private boolean isQuick(Payload piece) {
        return piece instanceof Payload.Bytes && piece.remaining() <= AT_ONCE
                || exchange.channel().workers().isWorker();
    }

    private void onWorker(Runnable task) {
        try {
            exchange.channel().workers().execute(task);
        } catch (RejectedExecutionException stopping) {
            task.run();
        }
    }

    private void compress(Payload piece, boolean last, Completion completion) {
        List<Chunk> chunks;
        try {
            chunks = encode(piece, last);
        } catch (IOException | RuntimeException failed) {
            completion.done(failed);
            return;
        }
        Payload payload = ChunkOutput.payload(chunks);
        if (last && !begun) {
            exchange.response().contentLength(payload.remaining());
        }
        EncodedForms forms = forms(piece, last);
        if (forms != null && chosen != null) {
            forms.keep(chosen.name(), payload);
        }
        begun = true;
        next.write(payload, last, failure -> {
            chunks.forEach(Chunk::release);
            completion.done(failure);
        });
    }

    private synchronized List<Chunk> encode(Payload piece, boolean last) throws IOException {
        ChunkOutput output = compressed;
        OutputStream to = encoder;
        if (output == null || to == null) {
            throw new IOException("the response has ended");
        }
        try {
            PieceReader.copy(piece, exchange.channel().buffers(), to);
            if (last) {
                to.close();
            } else {
                to.flush();
            }
            return output.take();
        } catch (IOException | RuntimeException failed) {
            output.take().forEach(Chunk::release);
            throw failed;
        }
    }

    /**
     * Called when the exchange has ended, possibly while a worker is compressing: an unfinished encoder releases its
     * memory.
     */
    private synchronized void close() {
        OutputStream open = encoder;
        ChunkOutput output = compressed;
        encoder = null;
        compressed = null;
        if (open == null || output == null) {
            return;
        }
        try {
            open.close();
        } catch (IOException | RuntimeException e) {
            CompressionLog.LOG.debug("Cannot close the encoder of an aborted response", e);
        }
        output.take().forEach(Chunk::release);
    }

    /** Collects bytes in pooled chunks. */
    private static final class ChunkOutput extends OutputStream {

        private static final int SPARE_SIZE = 8 * 1024;

        private final BufferPool pool;
        private List<Chunk> chunks = new ArrayList<>(2);

        ChunkOutput(BufferPool pool) {
            this.pool = pool;
        }

        @Override
        public void write(int value) {
            room().put((byte) value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            for (int at = offset; at < offset + length; ) {
                ByteBuffer to = room();
                int count = Math.min(to.remaining(), offset + length - at);
                to.put(bytes, at, count);
                at += count;
            }
        }

        private ByteBuffer room() {
            Chunk last = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
            if (last == null || !last.bytes().hasRemaining()) {
                Chunk leased = pool.tryLease();
                last = leased == null ? Chunk.wrap(ByteBuffer.allocate(SPARE_SIZE)) : leased;
                chunks.add(last);
            }
            return last.bytes();
        }

        /** Removes and returns the collected bytes, which the caller must release. */
        List<Chunk> take() {
            List<Chunk> taken = chunks;
            chunks = new ArrayList<>(2);
            taken.forEach(chunk -> chunk.bytes().flip());
            return taken;
        }

        static Payload payload(List<Chunk> chunks) {
            return chunks.isEmpty()
                    ? Payload.NOTHING
                    : new Payload.Bytes(chunks.stream().map(Chunk::bytes).toArray(ByteBuffer[]::new));
        }
    }

    /** Copies a payload into a stream. */
    private static final class PieceReader {

        private static final int COPY = 16 * 1024;

        private PieceReader() {}

        static void copy(Payload piece, BufferPool pool, OutputStream to) throws IOException {
            PayloadReader reader = PayloadReader.of(piece, pool);
            try {
                while (reader.remaining() > 0) {
                    for (ByteBuffer buffer : reader.next(COPY)) {
                        copy(buffer, to);
                    }
                }
            } finally {
                reader.release();
            }
        }

        /** Advances the buffer's position, as sending it would. */
        private static void copy(ByteBuffer buffer, OutputStream to) throws IOException {
            if (buffer.hasArray()) {
                to.write(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
                buffer.position(buffer.limit());
                return;
            }
            byte[] copy = new byte[Math.min(COPY, buffer.remaining())];
            while (buffer.hasRemaining()) {
                int count = Math.min(copy.length, buffer.remaining());
                buffer.get(copy, 0, count);
                to.write(copy, 0, count);
            }
        }
    }
}
