package io.millrace.tls.layer;

import io.millrace.io.AtomicField;
import io.millrace.io.BufferPool;
import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.layer.WriterState.Event;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output half of a TLS connection: what the application writes, and what the engine has to say by itself while it reads
 * (handshake messages, alerts, key updates). One write below at a time carries both, several records each.
 */
final class TlsWriter implements Completion {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", WriterState.class);
    private static final VarHandle JOB = AtomicField.of(MethodHandles.lookup(), "job", Job.class);

    /** The most content of one record (RFC 8446, 5.1). */
    private static final int RECORD = 16 * 1024;

    /** No content, only what the engine itself has to say. Has no state, so all connections share it. */
    private static final PayloadReader NOTHING = PayloadReader.of(Payload.NOTHING, new BufferPool(0));

    /** More than any cipher adds to a record of application data: head, nonce, padding, code. */
    private static final int ADDED = 256;

    private final TlsConnection connection;
    private final Connection below;
    private final TlsEngine engine;
    private final RecordBuffers records;
    private final CompletionLoop completions = new CompletionLoop();
    private volatile WriterState state = WriterState.IDLE;

    /** What the application wants sent; null if nothing. Set by it, cleared by who works, or by who finds that it failed. */
    private volatile @Nullable Job job;

    // confined to the working thread

    private @Nullable Job sent;
    private @Nullable CipherOutput underWay;

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

    /** Sends what the engine has to say, if it has. Any thread. */
    void flush() {
        if (fire(Event.SUBMIT) == WriterState.IDLE) {
            work();
        }
    }

    /**
     * The same by the thread that reads, which must not wait for the peer. Whoever works writes the application's next payload as well,
     * so where a write blocks, on bio, another thread does it.
     */
    void flushBesideReading() {
        if (fire(Event.SUBMIT) == WriterState.IDLE && !(below.channel().mayBlock() && workElsewhere())) {
            work();
        }
    }

    /** False if the system has no thread left. */
    private boolean workElsewhere() {
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
        } catch (Throwable thrown) { // nobody else ends the connection then
            connection.failed(thrown);
        }
    }

    /** Sends close_notify if nothing is being sent, as far as it goes out at once. Any thread. */
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

    // ---- in state BUSY or AGAIN, by one thread at a time

    private void work() {
        while (true) {
            Job current = job;
            try {
                CipherOutput output = encrypt(current);
                if (output != null) {
                    underWay = output;
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

    /** What there is to send now, encrypted; null if nothing. */
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
            TlsEngine.Status status = canStopAnywhere() ? wrap(plain, output) : wrapWhole(plain, output);
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

    /** Then records need not be put together first. */
    private boolean canStopAnywhere() {
        return engine.leastRoom() < TlsEngine.MOST_OUTPUT;
    }

    private int neededFor(long left) {
        return canStopAnywhere() && engine.hasOutput() ? engine.leastRoom() : (int) Math.min(left, RECORD) + ADDED;
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

    /** PROGRESS if there may be more. */
    private static TlsEngine.Status outcome(TlsEngine.Status status, int produced) {
        if (status == TlsEngine.Status.CLOSED) {
            return status;
        }
        if (produced > 0) {
            return TlsEngine.Status.PROGRESS;
        }
        return status == TlsEngine.Status.PROGRESS ? TlsEngine.Status.NEEDS_INPUT : status;
    }

    /** A write below has ended. */
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
        CipherOutput output = underWay;
        underWay = null;
        if (output != null) {
            output.release();
        }
    }

    /** True if there is nothing left to do, which was told then; what was sent is told when nobody works any more. */
    private boolean rest(@Nullable Job current) {
        if (current != null) {
            sent = current;
            job = null;
        }
        Job tell = sent;
        sent = null;
        WriterState from = fireRest(tell);
        if (from == WriterState.AGAIN) {
            return false;
        }
        if (tell != null) {
            complete(tell, null);
        }
        return true;
    }

    private WriterState fireRest(@Nullable Job tell) {
        if (STATE.compareAndSet(this, WriterState.BUSY, WriterState.IDLE)) {
            return WriterState.BUSY;
        }
        sent = tell; // still ours: there is more to do first
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
        Job mine = (Job) JOB.getAndSet(this, null);
        if (mine != null) {
            complete(mine, failure);
        }
    }

    private void complete(Job whose, @Nullable Throwable failure) {
        try {
            completions.run(whose.completion, failure);
        } catch (Throwable thrown) {
            connection.failed(thrown);
        }
    }

    /** The state before. */
    private WriterState fire(Event event) {
        while (true) {
            WriterState from = state;
            WriterState to = WriterState.next(from, event);
            if (from == to || STATE.compareAndSet(this, from, to)) {
                return from;
            }
        }
    }

    /** One write or finish of the application. */
    private record Job(PayloadReader plain, boolean isLast, Completion completion) {}
}
