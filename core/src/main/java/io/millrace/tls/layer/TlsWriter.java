package io.millrace.tls.layer;

import io.millrace.io.AtomicField;
import io.millrace.io.BufferPool;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.layer.TlsWriter.WriterState.Event;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output half of a TLS connection: the application's data, and the engine's own messages (handshake, alerts, key updates). One
 * write to the connection below is in progress at a time; it carries several records of both.
 */
final class TlsWriter implements Completion {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", WriterState.class);
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
    private final CompletionLoop completions = new CompletionLoop();
    private volatile WriterState state = WriterState.IDLE;

    /** The application's pending write; null for none. Set by the application, cleared by the working thread, or after a failure. */
    private volatile @Nullable Job job;

    // confined to the working thread

    private @Nullable Job sent;
    private @Nullable CipherOutput inFlight;

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
        if (fire(Event.SUBMIT) == WriterState.IDLE) {
            work();
        }
    }

    /**
     * As {@link #flush}, on the reading thread, which must not wait for the peer. The working thread also writes the application's next
     * payload, so where writes block, on bio, another thread does it.
     */
    void flushBesideReading() {
        if (fire(Event.SUBMIT) == WriterState.IDLE && !(below.channel().mayBlock() && workOnNewThread())) {
            work();
        }
    }

    /** False if no thread can be started. */
    private boolean workOnNewThread() {
        try {
            Thread thread = new Thread(this::workAlone, "millrace-tls-writer");
            thread.setDaemon(true);
            thread.start();
            return true;
        } catch (OutOfMemoryError none) {
            return false;
        }
    }

    private void workAlone() {
        try {
            work();
        } catch (Throwable thrown) { // otherwise the connection would stay open
            connection.failed(thrown);
        }
    }

    /** Sends close_notify if no write is in progress, without waiting for its completion. Thread-safe. */
    void shutdown() {
        if (STATE.compareAndSet(this, WriterState.IDLE, WriterState.BUSY)) {
            engine.closeOutput();
            work();
        }
    }

    boolean isEnded() {
        return state == WriterState.ENDED;
    }

    private void accept(Job next) {
        if (!JOB.compareAndSet(this, null, next)) {
            throw new IllegalStateException("write while another write is pending");
        }
        switch (fire(Event.SUBMIT)) {
            case IDLE -> work();
            case ENDED -> failJob(new IOException("cannot write to the connection: its output has ended"));
            case BUSY, AGAIN -> {}
        }
    }

    private void work() {
        while (true) {
            Job current = job;
            try {
                CipherOutput output = encrypt(current);
                if (output != null) {
                    inFlight = output;
                    below.write(output.payload(), this);
                    return;
                }
            } catch (IOException | RuntimeException broken) {
                fail(broken);
                return;
            }
            if (current != null && current.isLast) {
                below.finish(this::finished);
                return;
            }
            if (rest(current)) {
                return;
            }
        }
    }

    /** The next records to send; null if there are none. */
    private @Nullable CipherOutput encrypt(@Nullable Job current) throws IOException {
        PayloadReader plain = current == null ? NOTHING : current.plain;
        if (current != null && current.isLast) {
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

    /** Can the engine write a record in parts? Otherwise each record is produced in a buffer of its own and copied. */
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

    /** A write to the connection below is complete. */
    @Override
    public void done(@Nullable Throwable failure) {
        dropWritten();
        if (failure == null) {
            work();
        } else {
            fail(failure);
        }
    }

    private void dropWritten() {
        CipherOutput output = inFlight;
        inFlight = null;
        if (output != null) {
            output.release();
        }
    }

    /**
     * True if nothing is left to send. The write that was sent is completed only then, in state IDLE, so that its completion can
     * write again.
     */
    private boolean rest(@Nullable Job current) {
        if (current != null) {
            sent = current;
            job = null;
        }
        Job written = sent;
        sent = null;
        WriterState from = fireRest(written);
        if (from == WriterState.AGAIN) {
            return false;
        }
        if (written != null) {
            complete(written, null);
        }
        return true;
    }

    private WriterState fireRest(@Nullable Job written) {
        if (STATE.compareAndSet(this, WriterState.BUSY, WriterState.IDLE)) {
            return WriterState.BUSY;
        }
        sent = written; // completed later: there is more to send first
        return fire(Event.REST);
    }

    private void finished(@Nullable Throwable failure) {
        if (failure != null) {
            fail(failure);
            return;
        }
        Job last = (Job) JOB.getAndSet(this, null);
        fire(Event.END);
        if (last != null) {
            complete(last, null);
        }
        connection.directionEnded();
    }

    private void fail(Throwable failure) {
        dropWritten();
        fire(Event.END);
        below.close(failure);
        Job done = sent;
        sent = null;
        if (done != null) {
            complete(done, null);
        }
        failJob(failure);
    }

    private void failJob(Throwable failure) {
        Job pending = (Job) JOB.getAndSet(this, null);
        if (pending != null) {
            complete(pending, failure);
        }
    }

    private void complete(Job written, @Nullable Throwable failure) {
        try {
            completions.run(written.completion, failure);
        } catch (Throwable thrown) {
            connection.failed(thrown);
        }
    }

    /** Returns the previous state. */
    private WriterState fire(Event event) {
        while (true) {
            WriterState from = state;
            WriterState to = WriterState.next(from, event);
            if (from == to || STATE.compareAndSet(this, from, to)) {
                return from;
            }
        }
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

        /** Is there room for a record of this size, if necessary with chunks leased now? Never beyond the pool's share for output. */
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

    /**
     * The states of a connection's output. The thread that made it BUSY works, and then the completions of its writes, until nothing is
     * left to send.
     *
     * <pre>
     * from   event   to
     * IDLE   SUBMIT  BUSY    the submitter works
     * BUSY   SUBMIT  AGAIN   a thread is working: it checks again before it stops
     * AGAIN  SUBMIT  AGAIN
     * BUSY   REST    IDLE    nothing is left to send
     * AGAIN  REST    BUSY    checks again
     * BUSY   END     ENDED   finished or failed: nothing can be sent any more
     * AGAIN  END     ENDED
     * ENDED  any     ENDED
     * IDLE   REST    error   only the working thread rests or ends
     * IDLE   END     error
     * </pre>
     */
    enum WriterState {
        IDLE,
        BUSY,
        AGAIN,
        ENDED;

        enum Event {
            SUBMIT,
            REST,
            END
        }

        static WriterState next(WriterState from, Event event) {
            if (from == ENDED) {
                return ENDED;
            }
            if (from == IDLE && event != Event.SUBMIT) {
                throw new IllegalStateException(from + ", " + event);
            }
            return switch (event) {
                case SUBMIT -> from == IDLE ? BUSY : AGAIN;
                case REST -> from == AGAIN ? BUSY : IDLE;
                case END -> ENDED;
            };
        }
    }
}
