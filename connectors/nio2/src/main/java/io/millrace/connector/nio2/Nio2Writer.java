package io.millrace.connector.nio2;

import io.millrace.connector.nio2.WriteHandoff.Event;
import io.millrace.io.BufferPool;
import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import io.millrace.io.socket.GatheringWrite;
import io.millrace.io.socket.IdleClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The output half of a connection. A write is attempted at once on the caller's thread, one operation after the other; an
 * operation that the socket does not accept stays pending, and the write resumes on the I/O thread where it completes.
 */
final class Nio2Writer implements CompletionHandler<Number, @Nullable Void> {

    private final Nio2Connection connection;
    private final AsynchronousSocketChannel channel;
    private final WriteHandoff pending = new WriteHandoff();
    private final CompletionLoop completions = new CompletionLoop();
    private @Nullable UnsentBytes outgoing;
    private Completion completion = Completion.IGNORE;

    /** The result of the last operation: written before its state is DONE, read after. */
    private int count;

    private @Nullable Throwable failure;

    Nio2Writer(Nio2Connection connection, AsynchronousSocketChannel channel) {
        this.connection = connection;
        this.channel = channel;
    }

    void write(Payload payload, Completion listener) {
        if (outgoing != null) {
            throw new IllegalStateException("write while another write is pending");
        }
        UnsentBytes all = new UnsentBytes(payload, connection.channel().buffers());
        if (!connection.enter()) {
            complete(listener, connection.life().closedException());
            return;
        }
        completion = listener;
        outgoing = all;
        failure = null;
        if (proceed(all)) {
            connection.leave();
        }
    }

    void finish(Completion listener) {
        try {
            channel.shutdownOutput();
        } catch (IOException broken) {
            connection.close(broken);
            complete(listener, broken);
            return;
        }
        complete(listener, null);
        connection.outputEnded();
    }

    /** Whether an operation is pending, because the peer accepts no data. */
    boolean isWaiting() {
        return pending.isPending();
    }

    /** Sends until all is sent or an operation is pending. True if the write has ended and its completion was called. */
    private boolean proceed(UnsentBytes rest) {
        long turn = GatheringWrite.TURN;
        while (failure == null && hasMore(rest)) {
            if (turn <= 0 && connection.isInTurn()) {
                connection.later(() -> resume(rest));
                return false;
            }
            pending.fire(Event.START);
            boolean interrupted = Thread.currentThread().isInterrupted();
            try {
                rest.start(channel, this);
            } catch (Throwable refused) { // no operation is pending
                failed(refused, null);
            }
            if (interrupted) {
                Thread.currentThread().interrupt(); // the channel group clears it after each completion
            }
            long deadline = pending.isDone() ? 0 : connection.clock().beginOutput();
            if (!pending.fire(Event.RETURN)) {
                watch(deadline);
                return false;
            }
            tookOutput();
            rest.returned();
            turn -= count;
        }
        end(rest);
        return true;
    }

    /** Records how much the socket accepted. Called by the thread that continues after an operation. */
    private void tookOutput() {
        IdleClock clock = connection.clock();
        clock.sent(failure == null ? count : 0);
        clock.endOutput();
    }

    private void watch(long deadline) {
        try {
            connection.clock().watch(deadline);
        } catch (Throwable broken) { // closing ends the pending operation
            connection.life().failed(broken);
        }
    }

    private boolean hasMore(UnsentBytes rest) {
        try {
            return rest.hasMore();
        } catch (Throwable unreadable) {
            failure = unreadable;
            return false;
        }
    }

    @Override
    public void completed(Number sent, @Nullable Void none) {
        count = sent.intValue();
        ended();
    }

    @Override
    public void failed(Throwable why, @Nullable Void none) {
        failure = why;
        ended();
    }

    private void ended() {
        UnsentBytes rest = outgoing;
        if (!pending.fire(Event.COMPLETE) || rest == null) {
            return;
        }
        tookOutput();
        rest.returned();
        rest.waited();
        if (CompletionThread.isCurrent() && !connection.isClosed()) {
            resume(rest);
        } else {
            connection.later(() -> resume(rest)); // the thread that closes must not run the completion
        }
    }

    private void resume(UnsentBytes rest) {
        boolean over = true;
        try {
            connection.beginTurn();
            over = proceed(rest);
            connection.endTurn();
        } finally {
            if (over) {
                connection.leave();
            }
        }
    }

    private void end(UnsentBytes sent) {
        Completion listener = completion;
        completion = Completion.IGNORE;
        outgoing = null;
        sent.release();
        Throwable why = failure;
        if (why == null) {
            complete(listener, null);
            return;
        }
        IOException broken = connection.isClosed()
                ? connection.life().whyClosed()
                : why instanceof IOException known ? known : new IOException(why);
        connection.reset(broken); // part of it may have been sent
        complete(listener, broken);
    }

    private void complete(Completion listener, @Nullable Throwable why) {
        try {
            completions.run(listener, why);
        } catch (Throwable thrown) {
            connection.life().failed(thrown);
        }
    }

    /** The unsent rest of one write. Used by one thread at a time. */
    private static final class UnsentBytes {

        private static final int MAX_BUFFERS = 8;

        /** The reader of a file, which an asynchronous channel cannot send from the kernel. Null for memory, which is sent as it is. */
        private final @Nullable PayloadReader file;

        private ByteBuffer[] buffers;

        /** The index of the first buffer that is not sent. */
        private int first;

        /** The original limit of the first buffer while only a slice of it is being sent; -1 otherwise. */
        private int limit = -1;

        /**
         * The size of a file's last batch, in buffers. The next one is larger if the socket accepted the last one at once, and
         * smaller if an operation was pending, so that slow readers of large files occupy little memory.
         */
        private int wanted = 1;

        private boolean waited;

        UnsentBytes(Payload payload, BufferPool pool) {
            if (payload instanceof Payload.Bytes bytes) {
                file = null;
                buffers = bytes.buffers();
            } else {
                file = PayloadReader.of(payload, pool);
                buffers = new ByteBuffer[0];
            }
        }

        /** Reads the next batch of a file, if the buffers are sent. False if all is sent. */
        boolean hasMore() throws IOException {
            first = GatheringWrite.skipSent(buffers, first);
            if (first < buffers.length || file == null) {
                return first < buffers.length;
            }
            wanted = waited ? Math.max(1, wanted / 2) : Math.min(MAX_BUFFERS, wanted * 2);
            waited = false;
            buffers = file.next(wanted * BufferPool.BUFFER_SIZE);
            first = 0;
            return buffers.length > 0;
        }

        /** Starts one operation of the channel, with as much as it may accept. */
        @SuppressWarnings("unchecked") // the handler takes any number
        void start(AsynchronousSocketChannel channel, CompletionHandler<? extends Number, @Nullable Void> handler) {
            int count = GatheringWrite.gatherable(buffers, first);
            if (count > 1) {
                channel.write(
                        buffers, first, count, 0, TimeUnit.MILLISECONDS, null, (CompletionHandler<Long, @Nullable Void>)
                                handler);
                return;
            }
            if (count == 0) {
                limit = GatheringWrite.narrow(buffers[first]);
            }
            channel.write(buffers[first], 0, TimeUnit.MILLISECONDS, null, (CompletionHandler<Integer, @Nullable Void>)
                    handler);
        }

        /** Restores the buffers after an operation, whether it succeeded or failed. */
        void returned() {
            if (limit >= 0) {
                buffers[first].limit(limit);
                limit = -1;
            }
        }

        /** Records that the socket did not accept the operation at once. */
        void waited() {
            waited = true;
        }

        /** Releases leased memory. Called once, when no operation is pending. */
        void release() {
            if (file != null) {
                file.release();
            }
        }
    }
}
