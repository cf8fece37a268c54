package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output half of a connection. A write goes to the socket at once, on the caller's thread; what the socket does not
 * accept stays pending, and the polling thread sends it when the socket is writable again.
 */
final class PolledWriter {

    private static final VarHandle PENDING = AtomicField.of(MethodHandles.lookup(), "pending", Pending.class);

    private final PolledConnection connection;
    private final PolledSocket socket;
    private final CompletionLoop completions = new CompletionLoop();
    private volatile @Nullable Pending pending;

    PolledWriter(PolledConnection connection, PolledSocket socket) {
        this.connection = connection;
        this.socket = socket;
    }

    void write(Payload payload, Completion completion) {
        if (pending != null) {
            throw new IllegalStateException("write while another write is pending");
        }
        Pending rest = null;
        try {
            connection.life().checkOpen();
            if (payload instanceof Payload.FileRegion file) {
                long sent = send(file, 0);
                rest = sent == file.remaining() ? null : new Pending(payload, completion, sent);
            } else if (!send(((Payload.Bytes) payload).buffers())) {
                rest = new Pending(payload, completion, 0);
            }
        } catch (Throwable broken) {
            failed(completion, broken);
            return;
        }
        if (rest == null) {
            complete(completion, null);
        } else {
            leaveToPoller(rest);
        }
    }

    /** Sends what the socket accepts of these buffers, in order. True when nothing is left of them. */
    private boolean send(ByteBuffer... buffers) throws IOException {
        int first = 0;
        long turn = GatheringWrite.TURN;
        while (true) {
            first = GatheringWrite.skipSent(buffers, first);
            if (first == buffers.length) {
                return true;
            }
            int count = socket.gatherable(buffers, first);
            long sent = count == 0 ? socket.writeSome(buffers[first]) : socket.write(buffers, first, count);
            turn -= sent;
            if (turn <= 0 || sent == 0 || (count > 0 && buffers[first + count - 1].hasRemaining())) {
                return false;
            }
        }
    }

    /** Sends what the socket accepts of a file from this byte of the region on, up to a turn. Returns the next unsent byte. */
    private long send(Payload.FileRegion region, long from) throws IOException {
        long left = region.remaining() - from;
        long count = left == 0 ? 0 : socket.send(region, region.position() + from, Math.min(GatheringWrite.TURN, left));
        if (count < 0) {
            throw PayloadReader.truncated(left);
        }
        return from + count;
    }

    private void leaveToPoller(Pending rest) {
        IdleClock clock = connection.clock();
        long deadline = clock.beginOutput();
        pending = rest;
        try {
            clock.watch(deadline);
            socket.resumeWrites();
        } catch (Throwable broken) { // the poller may be sending already: it settles what it closes
            connection.life().failed(broken);
        }
        if (connection.isClosed()) {
            // Whoever tells the end may have looked for it too early. Its memory and its file go back to their
            // owner with the completion, so by the polling thread: no other thread sends it meanwhile.
            connection.later(this::closed);
        }
    }

    void finish(Completion completion) {
        if (pending != null) {
            throw new IllegalStateException("finish while a write is pending");
        }
        try {
            connection.life().checkOpen();
            socket.finish();
        } catch (Throwable broken) {
            failed(completion, broken);
            return;
        }
        complete(completion, null);
        connection.outputEnded();
    }

    boolean isWaiting() {
        return pending != null;
    }

    /** The poller reports that the socket takes more, or is broken. */
    void ready() {
        Pending write = pending;
        if (write != null) {
            try {
                if (!advance(write)) {
                    connection.clock().beginOutput(); // anew: there was progress
                    return;
                }
                settle(write, null);
            } catch (Throwable broken) {
                connection.reset(broken);
                settle(write, broken);
                return;
            }
        }
        if (pending == null) {
            socket.suspendWrites();
            if (pending != null) {
                socket.resumeWrites(); // a new write came, on another thread, just before
            }
        }
    }

    private boolean advance(Pending write) throws IOException {
        if (write.payload instanceof Payload.FileRegion file) {
            write.sentOfFile = send(file, write.sentOfFile);
            return write.sentOfFile == file.remaining();
        }
        return send(((Payload.Bytes) write.payload).buffers());
    }

    /** Fails the write under way, if there is one. By the polling thread, once the connection is closed. */
    void closed() {
        Pending write = pending;
        if (write != null) {
            settle(write, connection.life().whyClosed());
        }
    }

    private void settle(Pending write, @Nullable Throwable failure) {
        if (PENDING.compareAndSet(this, write, null)) {
            complete(write.completion, failure);
        }
    }

    private void failed(Completion completion, Throwable failure) {
        connection.reset(failure); // some of it may be on its way
        complete(completion, failure);
    }

    private void complete(Completion completion, @Nullable Throwable failure) {
        try {
            completions.run(completion, failure);
        } catch (Throwable thrown) {
            connection.life().failed(thrown);
        }
    }

    /** A write that the socket has not accepted whole. The buffers of a payload know by themselves what is left of them. */
    private static final class Pending {

        private final Payload payload;
        private final Completion completion;
        private long sentOfFile;

        Pending(Payload payload, Completion completion, long sentOfFile) {
            this.payload = payload;
            this.completion = completion;
            this.sentOfFile = sentOfFile;
        }
    }
}
