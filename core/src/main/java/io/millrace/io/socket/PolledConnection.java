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
 * A connection over a {@link PolledSocket}: its output and its end. Input is the {@link PolledReader}'s. Its handler is called by
 * its polling thread.
 *
 * <p>A write goes to the socket at once, on the caller's thread; what the socket does not accept stays pending, and the
 * polling thread sends it when the socket is writable again.
 *
 * <p>Closing it closes the socket. When that is gone, the polling thread ends what is pending and tells the handler, so that
 * no buffer or file is given back that the kernel still reads from.
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
        super(owner, neighbours, socket.local(), socket.remote());
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

    /** The socket is closed and no thread is inside a call with it any more. Any thread, once. */
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
        IdleClock clock = clock();
        long deadline = clock.beginOutput();
        pending = rest;
        try {
            clock.watch(deadline);
            socket.resumeWrites();
        } catch (Throwable broken) { // the poller may be sending already: it settles what it closes
            life().failed(broken);
        }
        if (isClosed()) {
            // Whoever tells the end may have looked for it too early. Its memory and its file go back to their
            // owner with the completion, so by the polling thread: no other thread sends it meanwhile.
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
        reset(failure); // some of it may be on its way
        complete(completion, failure);
    }

    private void complete(Completion completion, @Nullable Throwable failure) {
        try {
            completions.run(completion, failure);
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
    }

    // ---- by the polling thread

    /** Comes before all else; if it fails there is no connection. */
    void join() {
        socket.join(this);
        neighbours().add(this);
    }

    /** Sets a new connection going. */
    void begin(Consumer<Connection> onAccept) {
        try {
            onAccept.accept(this);
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
    }

    /** The poller reports input, or that the socket is broken. */
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

    /** The poller reports room for output, or that the socket is broken. */
    public void writeReady() {
        try {
            sendPending();
        } catch (Throwable broken) { // level-triggered: it would be reported for ever
            life().failed(broken);
        }
    }

    private void sendPending() {
        Pending write = pending;
        if (write != null) {
            try {
                if (!advance(write)) {
                    clock().beginOutput(); // anew: there was progress
                    return;
                }
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
                socket.resumeWrites(); // a new write came, on another thread, just before
            }
        }
    }

    @Override
    protected void callReadable() {
        life().tellReadable();
    }

    @Override
    protected void callIdle() {
        life().tellIdle();
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

    /** Fails the write under way, if there is one. By the polling thread, once the connection is closed. */
    private void failPending() {
        Pending write = pending;
        if (write != null) {
            settle(write, life().whyClosed());
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
