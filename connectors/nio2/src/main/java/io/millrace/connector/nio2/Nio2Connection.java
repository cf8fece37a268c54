package io.millrace.connector.nio2;

import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.ConnectionOwner;
import io.millrace.io.socket.SocketConnection;
import io.millrace.io.socket.SocketInfo;
import io.millrace.io.socket.SocketSettings;
import io.millrace.io.socket.UseCount;
import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection over one asynchronous channel. Its handler is called on the I/O thread on which an operation completes; its
 * owner reads and writes on the owner's thread. {@link Nio2Reader} has the input, {@link Nio2Writer} the output, and
 * {@link ReadLoop} the thread that calls the handler; this class has the calls of the handler, and the close.
 */
final class Nio2Connection extends SocketConnection<Nio2Connection> {

    private final IoGroup group;
    private final AsynchronousSocketChannel socket;
    private final Channel channel;
    private final Nio2Reader reader;
    private final Nio2Writer writer;
    private final UseCount gate = new UseCount();
    private final ReadLoop readLoop = new ReadLoop();

    Nio2Connection(
            ConnectionOwner owner,
            ConnectionList<Nio2Connection> neighbours,
            IoGroup group,
            AsynchronousSocketChannel socket)
            throws IOException {
        super(owner, neighbours, new SocketInfo(socket.getLocalAddress(), socket.getRemoteAddress()));
        this.group = group;
        this.socket = socket;
        channel = channel(false, true, group.blocker()); // the JDK attempts each read before it leaves it to the poller
        reader = new Nio2Reader(this, socket);
        writer = new Nio2Writer(this, socket);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read();
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

    /** Has no effect with JDKs whose asynchronous channels do not support SO_LINGER, which are all so far. */
    @Override
    protected void resetOnClose() {
        SocketSettings.resetOnClose(socket);
    }

    @Override
    protected void closeSocket() {
        gate.close();
        try {
            socket.close(); // pending operations fail inside this call
        } catch (IOException ignored) {
            // closed all the same
        }
        leave();
    }

    // ---- uses of the socket

    /** Counts an operation or call that begins. False if the connection is closed; otherwise {@link #leave} must follow. */
    boolean enter() {
        return gate.enter();
    }

    /** Counts an operation that has ended. Thread-safe; no handler is called inside this call. */
    void leave() {
        if (gate.leave()) {
            later(this::end);
        }
    }

    /** Like {@link #leave}, as the last call of a thread for this connection: it may call the handler. */
    private void leaveLast() {
        if (gate.leave()) {
            end();
        }
    }

    void beginTurn() {
        CompletionThread.step();
        readLoop.begin(ReadLoop.READS);
    }

    void endTurn() {
        while (readLoop.isRepeated() && !isClosed()) {
            life().notifyReadable();
        }
        CompletionThread.step();
    }

    boolean isInTurn() {
        return readLoop.isRunner();
    }

    boolean mayRead() {
        return readLoop.mayRead();
    }

    // ---- calls of its handler

    /** Starts a new connection. Called on the accept thread, which other connections wait for, hence only one read. */
    void begin(Consumer<Connection> onAccept) {
        enter();
        readLoop.begin(ReadLoop.ONE_READ);
        try {
            onAccept.accept(this);
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
        endTurn();
        leaveLast();
    }

    /** Notifies the handler of a completed read, which is still counted. Called on the thread where it completed. */
    void readable() {
        if (CompletionThread.isCurrent()) {
            notifyReadable();
        } else {
            later(this::notifyReadable);
        }
    }

    /** Arranges a call of the handler: the owner waits, but there is input already. Called on the owner's thread. */
    void readableAlready() {
        if (!readLoop.repeat()) {
            later(this::callReadable);
        }
    }

    @Override
    protected void callReadable() {
        if (enter()) {
            notifyReadable();
        }
    }

    private void notifyReadable() {
        beginTurn();
        life().notifyReadable();
        endTurn();
        leaveLast();
    }

    @Override
    protected void callIdle() {
        if (!enter()) {
            return;
        }
        beginTurn();
        if (clock().isInputOver()) {
            life().notifyIdle();
        } else {
            reader.await(); // not the wait that was found to be overdue, but a later one
        }
        endTurn();
        leaveLast();
    }

    @Override
    protected boolean takeWait() {
        return reader.takeBack();
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
    protected void release() {
        reader.closed();
    }

    @Override
    protected Nio2Connection self() {
        return this;
    }

    @Override
    protected void later(Runnable task) {
        group.later(task);
    }

    void parkExtraPoller() {
        group.parkExtraPoller();
    }
}
