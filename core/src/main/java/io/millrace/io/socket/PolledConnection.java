package io.millrace.io.socket;

import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection over a {@link PolledSocket}. Its handler is called by its polling thread; bytes are read and written by
 * its owner, on that thread. Input is the {@link PolledReader}'s, output the {@link PolledWriter}'s;
 * here is what concerns both.
 *
 * <p>Closing it closes the socket. When that is gone, the polling thread ends what is pending and tells the handler, so that
 * no buffer or file is given back that the kernel still reads from.
 */
public final class PolledConnection extends SocketConnection<PolledConnection> {

    private final PollingThread thread;
    private final PolledSocket socket;
    private final Channel channel;
    private final PolledReader reader;
    private final PolledWriter writer;

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
        reader = new PolledReader(this, socket);
        writer = new PolledWriter(this, socket);
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
    public void write(Payload payload, Completion completion) {
        writer.write(payload, completion);
    }

    @Override
    public void finish(Completion completion) {
        writer.finish(completion);
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
        return writer.isWaiting();
    }

    @Override
    protected void later(Runnable task) {
        thread.execute(task);
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
            writer.ready();
        } catch (Throwable broken) { // level-triggered: it would be reported for ever
            life().failed(broken);
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
        writer.closed();
    }

    @Override
    protected PolledConnection self() {
        return this;
    }
}
