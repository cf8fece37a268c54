package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Payload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The output half of a connection. A write goes to the socket at once, on the caller's thread; what the socket does not
 * take is left as a {@link PendingWrite} to the poller.
 */
final class PolledWriter {

    private static final VarHandle PENDING = AtomicField.of(MethodHandles.lookup(), "pending", PendingWrite.class);

    private final PolledConnection connection;
    private final PolledSocket socket;
    private final CompletionLoop completions = new CompletionLoop();
    private volatile @Nullable PendingWrite pending;

    PolledWriter(PolledConnection connection, PolledSocket socket) {
        this.connection = connection;
        this.socket = socket;
    }

    void write(Payload payload, Completion completion) {
        if (pending != null) {
            throw new IllegalStateException("write while another write is pending");
        }
        PendingWrite rest = null;
        try {
            connection.life().checkOpen();
            if (!(payload instanceof Payload.Bytes bytes)) {
                rest = new PendingWrite(payload, completion);
                if (rest.advance(socket)) {
                    rest = null;
                }
            } else if (!PendingWrite.send(socket, bytes.buffers())) {
                rest = new PendingWrite(payload, completion);
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

    private void leaveToPoller(PendingWrite rest) {
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
            // owner with the completion, so by the polling thread: nobody sends it meanwhile.
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
        PendingWrite write = pending;
        if (write != null) {
            try {
                if (!write.advance(socket)) {
                    connection.clock().beginOutput(); // anew: there was progress
                    return;
                }
                settle(write, null);
            } catch (Throwable broken) {
                connection.close(broken);
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

    /** Fails the write under way, if there is one. By the polling thread, once the connection is closed. */
    void closed() {
        PendingWrite write = pending;
        if (write != null) {
            settle(write, connection.life().whyClosed());
        }
    }

    private void settle(PendingWrite write, @Nullable Throwable failure) {
        if (PENDING.compareAndSet(this, write, null)) {
            complete(write.completion, failure);
        }
    }

    private void failed(Completion completion, Throwable failure) {
        connection.close(failure);
        complete(completion, failure);
    }

    private void complete(Completion completion, @Nullable Throwable failure) {
        try {
            completions.run(completion, failure);
        } catch (Throwable thrown) {
            connection.life().failed(thrown);
        }
    }
}
