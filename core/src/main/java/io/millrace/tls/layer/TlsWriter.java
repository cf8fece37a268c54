package io.millrace.tls.layer;

import io.millrace.io.AtomicField;
import io.millrace.io.BufferPool;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import io.millrace.io.WriteLoop;
import io.millrace.tls.TlsEngine;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output half of a TLS connection: the application's data, and the engine's own messages (handshake, alerts, key updates), in a
 * {@link WriteLoop}. One write to the connection below carries several records of both.
 */
final class TlsWriter implements WriteLoop.Owner {

    private static final VarHandle JOB = AtomicField.of(MethodHandles.lookup(), "job", Job.class);

    /** The maximum content of a record (RFC 8446, 5.1). */
    private static final int RECORD = 16 * 1024;

    /** No application data, only the engine's messages. Stateless, and shared by all connections. */
    private static final PayloadReader NOTHING = PayloadReader.of(Payload.NOTHING, new BufferPool(0));

    /** An upper bound for the overhead of a record of application data: header, nonce, padding, authentication code. */
    private static final int OVERHEAD = 256;

    private final TlsConnection connection;
    private final Connection below;
    private final TlsEngine engine;
    private final RecordBuffers records;
    private final WriteLoop loop = new WriteLoop(this);

    /** The application's pending write; null for none. Set by the application, cleared by the loop. */
    private volatile @Nullable Job job;

    private volatile boolean shutdown;

    /** Finished or failed: nothing can be sent any more. Set by the loop. */
    private volatile boolean ended;

    // confined to the loop

    private @Nullable CipherOutput inFlight;
    private boolean finishing;

    TlsWriter(TlsConnection connection, Connection below, TlsEngine engine, RecordBuffers records) {
        this.connection = connection;
        this.below = below;
        this.engine = engine;
        this.records = records;
    }

    void write(Payload payload, Completion completion) {
        accept(new Job(PayloadReader.of(payload, below.channel().buffers()), false, completion));
    }

    /** Sends close_notify, then ends the output below. */
    void finish(Completion completion) {
        accept(new Job(NOTHING, true, completion));
    }

    /** Sends pending messages of the engine. Thread-safe. */
    void flush() {
        loop.wake();
    }

    /**
     * As {@link #flush}, on the reading thread, which must not wait for the peer. The loop also writes the application's next payload,
     * so where writes block, on bio, another thread runs it.
     */
    void flushBesideReading() {
        if (!loop.note() && !(below.channel().mayBlock() && isRunOnNewThread())) {
            loop.wake();
        }
    }

    /** False if no thread can be started. */
    private boolean isRunOnNewThread() {
        try {
            Thread thread = new Thread(loop::wake, "millrace-tls-writer");
            thread.setDaemon(true);
            thread.start();
            return true;
        } catch (OutOfMemoryError none) {
            return false;
        }
    }

    /**
     * Sends close_notify if no write is in progress, without waiting for its completion. Thread-safe. The connection below is closed
     * next, so a completion that closes does not leave it to the loop, which goes on after it.
     */
    void shutdown() {
        shutdown = true;
        if (loop.isRunner()) {
            step();
        } else {
            loop.wake();
        }
    }

    boolean isEnded() {
        return ended;
    }

    private void accept(Job next) {
        if (!JOB.compareAndSet(this, null, next)) {
            throw new IllegalStateException("write while another write is pending");
        }
        loop.wake();
    }

    // ---- the loop

    @Override
    public boolean step() {
        Job current = job;
        if (loop.isWriting()) {
            return false;
        }
        if (ended) {
            endJob(new IOException("cannot write to the connection: its output has ended"));
            return false;
        }
        CipherOutput output;
        try {
            output = encrypt(current);
        } catch (IOException | RuntimeException broken) {
            fail(broken);
            return false;
        }
        if (output != null) {
            inFlight = output;
            loop.begin(end -> below.write(output.payload(), end));
        } else if (current != null && current.isLast) {
            finishing = true;
            loop.begin(below::finish);
        } else if (current != null) {
            job = null;
            loop.complete(current.completion, null);
        }
        return false;
    }

    @Override
    public void written(@Nullable Throwable failure) {
        dropWritten();
        if (failure != null) {
            fail(failure);
        } else if (finishing) {
            ended = true;
            endJob(null);
            connection.directionEnded();
        }
    }

    @Override
    public void failed(Throwable thrown) {
        fail(thrown);
        connection.failed(thrown);
    }

    @Override
    public boolean handOver() {
        return false; // the writer above bounds what one turn sends
    }

    private void fail(Throwable failure) {
        if (!loop.isWriting()) { // otherwise the transport may still read it
            dropWritten();
        }
        ended = true;
        below.close(failure);
        endJob(failure);
    }

    private void endJob(@Nullable Throwable failure) {
        Job pending = (Job) JOB.getAndSet(this, null);
        if (pending != null) {
            loop.complete(pending.completion, failure);
        }
    }

    private void dropWritten() {
        CipherOutput output = inFlight;
        inFlight = null;
        if (output != null) {
            output.release();
        }
    }

    // ---- encryption

    /** The next records to send; null if there are none. */
    private @Nullable CipherOutput encrypt(@Nullable Job current) throws IOException {
        PayloadReader plain = current == null ? NOTHING : current.plain;
        if (current == null ? shutdown : current.isLast) {
            engine.closeOutput();
        }
        if (plain.remaining() == 0 && !engine.hasOutput()) {
            return null;
        }
        CipherOutput output = new CipherOutput(below.channel().buffers());
        boolean done = false;
        try {
            encrypt(plain, output);
            done = true;
        } finally {
            plain.release();
            if (!done || output.isEmpty()) {
                output.release();
            }
        }
        return output.isEmpty() ? null : output;
    }

    private void encrypt(PayloadReader plain, CipherOutput output) throws IOException {
        long left;
        do {
            TlsEngine.Status status = canSplitRecords() ? wrap(plain, output) : wrapWhole(plain, output);
            left = plain.remaining();
            if (status != TlsEngine.Status.PROGRESS) {
                if (left > 0) {
                    throw new IOException(
                            "cannot send " + left + " bytes, because the TLS output has ended: " + status);
                }
                return;
            }
        } while ((left > 0 || engine.hasOutput()) && output.hasRoom(neededFor(left)));
    }

    /** Whether the engine can write a record in parts. Otherwise each record is produced in a buffer of its own and copied. */
    private boolean canSplitRecords() {
        return engine.leastRoom() < TlsEngine.MAX_OUTPUT;
    }

    private int neededFor(long left) {
        return canSplitRecords() && engine.hasOutput() ? engine.leastRoom() : (int) Math.min(left, RECORD) + OVERHEAD;
    }

    private TlsEngine.Status wrap(PayloadReader plain, CipherOutput output) throws IOException {
        ByteBuffer room = output.room();
        int before = room.position();
        TlsEngine.Status status = engine.wrap(plain.next(RECORD), room);
        return outcome(status, room.position() - before);
    }

    private TlsEngine.Status wrapWhole(PayloadReader plain, CipherOutput output) throws IOException {
        ByteBuffer record = records.take();
        try {
            TlsEngine.Status status = engine.wrap(plain.next(RECORD), record);
            int produced = record.flip().remaining();
            output.put(record);
            return outcome(status, produced);
        } finally {
            records.giveBack(record);
        }
    }

    /** PROGRESS if the engine may produce more. */
    private static TlsEngine.Status outcome(TlsEngine.Status status, int produced) {
        if (status == TlsEngine.Status.CLOSED) {
            return status;
        }
        if (produced > 0) {
            return TlsEngine.Status.PROGRESS;
        }
        return status == TlsEngine.Status.PROGRESS ? TlsEngine.Status.NEEDS_INPUT : status;
    }

    /** A write or finish of the application. */
    private record Job(PayloadReader plain, boolean isLast, Completion completion) {}

    /** The records of one write: consecutive in pooled chunks, regardless of chunk boundaries. */
    private static final class CipherOutput {

        /** Three records of 16 KiB and a header: a write of 64 KiB would take the kernel twice the time per byte. */
        private static final int MAX_CHUNKS = 4;

        private final BufferPool pool;
        private final @Nullable Chunk[] chunks = new Chunk[MAX_CHUNKS + 2];
        private int count;
        private int current;

        CipherOutput(BufferPool pool) {
            this.pool = pool;
        }

        boolean isEmpty() {
            return count == 0 || bytes(0).position() == 0;
        }

        /** Whether there is room for a record of this size, if necessary with chunks leased now. Never beyond the pool's share for output. */
        boolean hasRoom(int size) {
            int room = 0;
            for (int i = current; i < count; i++) {
                room += bytes(i).remaining();
            }
            while (room < size && count < MAX_CHUNKS) {
                Chunk chunk = pool.tryLease();
                if (chunk == null) {
                    break;
                }
                chunks[count++] = chunk;
                room += chunk.bytes().remaining();
            }
            return room >= size;
        }

        /** Appends a record. */
        void put(ByteBuffer record) throws BufferPoolExhaustedException {
            while (record.hasRemaining()) {
                ByteBuffer to = room();
                int moved = Math.min(record.remaining(), to.remaining());
                to.put(to.position(), record, record.position(), moved);
                to.position(to.position() + moved);
                record.position(record.position() + moved);
            }
        }

        /** The chunk for the next bytes: one that is not full, or a new one. */
        ByteBuffer room() throws BufferPoolExhaustedException {
            if (current < count && !bytes(current).hasRemaining()) {
                current++;
            }
            if (current == count) {
                Chunk chunk = pool.tryLease();
                chunks[count] = chunk == null ? pool.lease() : chunk; // the first record is sent in any case
                count++;
            }
            return bytes(current);
        }

        /** The payload to send. Nothing may be appended afterwards. */
        Payload payload() {
            while (count > 0 && bytes(count - 1).position() == 0) {
                releaseLast(); // leased for a record that was shorter than expected
            }
            ByteBuffer[] buffers = new ByteBuffer[count];
            for (int i = 0; i < count; i++) {
                buffers[i] = bytes(i).flip();
            }
            return new Payload.Bytes(buffers);
        }

        void release() {
            while (count > 0) {
                releaseLast();
            }
        }

        private void releaseLast() {
            count--;
            Chunk last = chunks[count];
            chunks[count] = null;
            if (last != null) {
                last.release();
            }
        }

        private ByteBuffer bytes(int index) {
            Chunk chunk = chunks[index];
            if (chunk == null) {
                throw new IllegalStateException("no chunk " + index + " of " + count);
            }
            return chunk.bytes();
        }
    }
}
