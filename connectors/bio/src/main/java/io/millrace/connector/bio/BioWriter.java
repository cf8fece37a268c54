package io.millrace.connector.bio;

import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Payload;
import io.millrace.io.socket.IdleClock;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The output half of a connection: a write blocks its caller until the socket has accepted all of it. */
final class BioWriter {

    private final BioConnection connection;
    private final SocketChannel channel;
    private final CompletionLoop completions = new CompletionLoop();
    private volatile @Nullable Thread waiting;

    BioWriter(BioConnection connection, SocketChannel channel) {
        this.connection = connection;
        this.channel = channel;
    }

    void write(Payload payload, Completion completion) {
        Throwable failure = null;
        try {
            connection.life().checkOpen();
            Sending sending = new Sending(payload);
            IdleClock clock = connection.clock();
            while (!sending.advance(channel)) {
                clock.sent(sending.accepted());
                if (sending.accepted() == 0) {
                    awaitWritable(clock.beginOutput());
                }
            }
            clock.sent(sending.accepted());
            clock.endOutput();
        } catch (Throwable broken) {
            failure = connection.isClosed() ? connection.life().closedException() : broken;
            connection.reset(broken); // part of it may have been sent
        }
        complete(completion, failure);
    }

    void finish(Completion completion) {
        Throwable failure = null;
        try {
            connection.life().checkOpen();
            channel.shutdownOutput();
        } catch (Throwable broken) {
            failure = broken;
            connection.close(broken);
        }
        complete(completion, failure);
        if (failure == null) {
            connection.outputEnded();
        }
    }

    /** Wakes the writing thread when the socket is writable or closed. Thread-safe. */
    void wake() {
        Thread blocked = waiting;
        if (blocked != null) {
            waiting = null;
            LockSupport.unpark(blocked);
        }
    }

    /** Waits for {@link #wake} until this deadline of {@link IdleClock}. */
    private void awaitWritable(long deadline) throws IOException {
        boolean interrupted = false;
        waiting = Thread.currentThread();
        connection.awaitWritable();
        while (waiting != null && !connection.isClosed()) {
            long left = deadline == 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
            if (left <= 0) {
                waiting = null;
                throw connection.outputOverdue();
            }
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted(); // writes are not interruptible: a truncated response is useless
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        connection.life().checkOpen();
    }

    private void complete(Completion completion, @Nullable Throwable failure) {
        try {
            completions.run(completion, failure);
        } catch (Throwable thrown) {
            connection.life().failed(thrown);
        }
    }
}
