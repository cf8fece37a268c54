package io.millrace.connector.nio;

import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Payload;
import io.millrace.io.socket.IdleClock;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.WriteReadyHandler;

/**
 * The output half of a connection. A write goes to the socket at once, on the caller's thread; what the socket does not
 * take is left as a {@link PendingWrite} to write-ready events on the I/O thread.
 */
final class NioWriter implements WriteReadyHandler {

    private static final VarHandle PENDING;

    static {
        try {
            PENDING = MethodHandles.lookup().findVarHandle(NioWriter.class, "pending", PendingWrite.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final NioConnection connection;
    private final StreamSinkConduit conduit;
    private final CompletionLoop completions = new CompletionLoop();
    private volatile @Nullable PendingWrite pending;
    private volatile boolean finished;

    NioWriter(NioConnection connection, StreamSinkConduit conduit) {
        this.connection = connection;
        this.conduit = conduit;
        conduit.setWriteReadyHandler(this);
    }

    void write(Payload payload, Completion completion) {
        if (pending != null) {
            throw new IllegalStateException("write while another write is pending");
        }
        PendingWrite rest = null;
        try {
            if (!(payload instanceof Payload.Bytes bytes)) {
                rest = new PendingWrite(payload, completion);
                if (rest.advance(conduit)) {
                    rest = null;
                }
            } else if (!PendingWrite.send(conduit, bytes.buffers())) {
                rest = new PendingWrite(payload, completion);
            }
        } catch (IOException broken) {
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
        clock.begin();
        long deadline = clock.deadline();
        pending = rest;
        clock.watch(deadline);
        conduit.resumeWrites();
        if (connection.isClosed()) {
            fail(connection.life().closedException()); // the closing thread may have looked for it too early
        }
    }

    void finish(Completion completion) {
        if (pending != null) {
            throw new IllegalStateException("finish while a write is pending");
        }
        try {
            connection.life().checkOpen();
            conduit.terminateWrites();
        } catch (IOException broken) {
            failed(completion, broken);
            return;
        }
        finished = true;
        complete(completion, null);
        connection.directionEnded();
    }

    boolean isFinished() {
        return finished;
    }

    boolean isWaiting() {
        return pending != null;
    }

    @Override
    public void writeReady() {
        PendingWrite write = pending;
        if (write != null) {
            try {
                if (!write.advance(conduit)) {
                    connection.clock().begin(); // anew: there was progress
                    return;
                }
                settle(write, null);
            } catch (IOException broken) {
                connection.close(broken);
                settle(write, broken);
                return;
            }
        }
        if (pending == null) {
            conduit.suspendWrites();
            if (pending != null) {
                conduit.resumeWrites(); // a new write came, on another thread, just before the suspension
            }
        }
    }

    /** Fails the write under way, if there is one. By any thread, once the connection is closed. */
    void fail(Throwable failure) {
        PendingWrite write = pending;
        if (write != null) {
            settle(write, failure);
        }
    }

    /** The I/O thread may find that a write has ended while the owner finds that the connection is closed. */
    private void settle(PendingWrite write, @Nullable Throwable failure) {
        if (PENDING.compareAndSet(this, write, null)) {
            complete(write.completion, failure);
        }
    }

    private void failed(Completion completion, IOException failure) {
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

    @Override
    public void forceTermination() {
        // the reader closes the connection
    }

    @Override
    public void terminated() {
        // the connection knows: it closed the channel or finished the output
    }
}
