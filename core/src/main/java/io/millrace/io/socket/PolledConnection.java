package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection over a {@link PolledSocket}: its output and its end; {@link PolledReader} is its input. Its handler is
 * called by its polling thread.
 *
 * <p>A write is passed to the socket immediately, on the caller's thread; the rest that the socket does not accept stays
 * pending, and the polling thread sends it when the socket is writable again.
 *
 * <p>Closing the connection closes the socket. Only when no thread uses the socket any more does the polling thread fail
 * the pending write and notify the handler, so that no buffer or file is returned that the kernel still reads.
 */
public final class PolledConnection extends SocketConnection<PolledConnection> {

    private static final VarHandle PENDING = AtomicField.of(MethodHandles.lookup(), "pending", Pending.class);

    private final PollingThread thread;
    private final PolledSocket socket;
    private final Channel channel;
    private final PolledReader reader;
    private final CompletionLoop completions = new CompletionLoop();
    private volatile @Nullable Pending pending;

    PolledConnection(
            ConnectionOwner owner,
            PollingThread thread,
            ConnectionList<PolledConnection> neighbours,
            PolledSocket socket)
            throws IOException {
        super(owner, neighbours, socket.info());
        this.thread = thread;
        this.socket = socket;
        channel = channel(true, false, thread);
        reader = new PolledReader(thread, this, socket);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read(channel.buffers());
    }

    @Override
    public void awaitReadable() {
        clock().beginInput();
        long deadline = clock().inputDeadline();
        reader.await();
        clock().watch(deadline);
        remindOfDrain();
    }

    @Override
    public Channel channel() {
        return channel;
    }

    @Override
    protected void closeSocket() {
        socket.close();
    }

    @Override
    protected void resetOnClose() {
        socket.resetOnClose();
    }

    /** Called once, by any thread, when the socket is closed and no thread is inside a call of it. */
    public void gone() {
        later(this::end);
    }

    @Override
    public boolean isWaitingForInput() {
        return reader.isWaiting();
    }

    @Override
    public boolean isWaitingForOutput() {
        return pending != null;
    }

    @Override
    protected void later(Runnable task) {
        thread.execute(task);
    }

    // ---- output

    @Override
    public void write(Payload payload, Completion completion) {
        if (pending != null) {
            throw new IllegalStateException("write while another write is pending");
        }
        Pending rest = null;
        try {
            life().checkOpen();
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

    /** Writes as much of these buffers as the socket accepts, in order. True if everything was written. */
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
            clock().sent(sent);
            turn -= sent;
            if (turn <= 0 || sent == 0 || (count > 0 && buffers[first + count - 1].hasRemaining())) {
                return false;
            }
        }
    }

    /** Sends as much of a file as the socket accepts, from this offset in the region, up to a turn. Returns the next offset. */
    private long send(Payload.FileRegion region, long from) throws IOException {
        long left = region.remaining() - from;
        long count = left == 0 ? 0 : socket.send(region, region.position() + from, Math.min(GatheringWrite.TURN, left));
        if (count < 0) {
            throw PayloadReader.truncated(left);
        }
        clock().sent(count);
        return from + count;
    }

    private void leaveToPoller(Pending rest) {
        IdleClock clock = clock();
        long deadline = clock.beginOutput();
        pending = rest;
        try {
            clock.watch(deadline);
            socket.resumeWrites();
        } catch (Throwable broken) { // the poller may be sending already; closing completes the write
            life().failed(broken);
        }
        if (isClosed()) {
            // The end of the connection may have missed this write. The completion returns memory and file to their
            // owner; it is called by the polling thread, so that no other thread is sending them meanwhile.
            later(this::failPending);
        }
    }

    @Override
    public void finish(Completion completion) {
        if (pending != null) {
            throw new IllegalStateException("finish while a write is pending");
        }
        try {
            life().checkOpen();
            socket.finish();
        } catch (Throwable broken) {
            failed(completion, broken);
            return;
        }
        complete(completion, null);
        outputEnded();
    }

    private boolean advance(Pending write) throws IOException {
        if (write.payload instanceof Payload.FileRegion file) {
            write.sentOfFile = send(file, write.sentOfFile);
            return write.sentOfFile == file.remaining();
        }
        return send(((Payload.Bytes) write.payload).buffers());
    }

    private void settle(Pending write, @Nullable Throwable failure) {
        if (PENDING.compareAndSet(this, write, null)) {
            complete(write.completion, failure);
        }
    }

    private void failed(Completion completion, Throwable failure) {
        reset(failure); // a part may have been sent
        complete(completion, failure);
    }

    private void complete(Completion completion, @Nullable Throwable failure) {
        try {
            completions.run(completion, failure);
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
    }

    // ---- called by the polling thread

    /** Called first; if it fails, there is no connection. */
    void join() {
        socket.join(this);
        neighbours().add(this);
    }

    /** Starts a new connection. */
    void begin(Consumer<Connection> onAccept) {
        try {
            onAccept.accept(this);
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
    }

    /** Called when the poller reports input, or that the socket is broken. */
    public void readReady() {
        boolean wanted;
        try {
            wanted = reader.ready();
        } catch (Throwable broken) {
            life().failed(broken);
            return;
        }
        if (wanted) {
            callReadable();
            if (!reader.isWaiting()) {
                thread.handedOver();
            }
        }
    }

    /** Called when the poller reports that the socket is writable, or broken. */
    public void writeReady() {
        try {
            sendPending();
        } catch (Throwable broken) { // a level-triggered poller would report it continuously
            life().failed(broken);
        }
    }

    private void sendPending() {
        Pending write = pending;
        if (write != null) {
            try {
                if (!advance(write)) {
                    clock().beginOutput(); // there was progress: the timeout restarts
                    return;
                }
                clock().endOutput();
                settle(write, null);
            } catch (Throwable broken) {
                reset(broken);
                settle(write, broken);
                return;
            }
        }
        if (pending == null) {
            socket.suspendWrites();
            if (pending != null) {
                socket.resumeWrites(); // another thread has started a write meanwhile
            }
        }
    }

    @Override
    protected void callReadable() {
        life().notifyReadable();
    }

    @Override
    protected void callIdle() {
        life().notifyIdle();
    }

    @Override
    protected boolean takeWait() {
        return reader.take();
    }

    @Override
    protected void release() {
        socket.forget();
        failPending();
    }

    @Override
    protected PolledConnection self() {
        return this;
    }

    /** Fails the pending write, if there is one. Called by the polling thread once the connection is closed. */
    private void failPending() {
        Pending write = pending;
        if (write != null) {
            settle(write, life().whyClosed());
        }
    }

    /** A write that the socket has accepted only in part. The positions of a payload's buffers record its progress. */
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
