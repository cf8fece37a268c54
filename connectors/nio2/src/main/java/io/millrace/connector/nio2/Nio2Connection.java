package io.millrace.connector.nio2;

import io.millrace.io.Blocker;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.ConnectionOwner;
import io.millrace.io.socket.SocketConnection;
import io.millrace.io.socket.SocketSettings;
import io.millrace.io.socket.UseCount;
import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One socket. Its handler is called on whichever I/O thread an operation ends; bytes are read and written by whoever owns
 * it, on that thread. What goes in is the {@link Nio2Reader}'s, what goes out the {@link Nio2Writer}'s, whose turn it is the
 * {@link ReadLoop}'s; here is what concerns all.
 */
final class Nio2Connection extends SocketConnection<Nio2Connection> {

    private final IoGroup group;
    private final AsynchronousSocketChannel socket;
    private final Channel channel;
    private final Nio2Reader reader;
    private final Nio2Writer writer;
    private final UseCount gate = new UseCount();
    private final ReadLoop turn = new ReadLoop();

    Nio2Connection(
            ConnectionOwner owner,
            ConnectionList<Nio2Connection> neighbours,
            IoGroup group,
            AsynchronousSocketChannel socket)
            throws IOException {
        super(owner, neighbours, socket.getLocalAddress(), socket.getRemoteAddress());
        this.group = group;
        this.socket = socket;
        channel = channel(
                false, true, Blocker.NEVER_IN_PLACE); // the JDK tries each read before it leaves it to the poller
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

    /** Has no effect with the JDK's channels of today, which have no SO_LINGER. */
    @Override
    protected void resetOnClose() {
        SocketSettings.resetOnClose(socket);
    }

    @Override
    protected void closeSocket() {
        gate.close();
        try {
            socket.close(); // what is pending fails in here
        } catch (IOException ignored) {
            // it is closed all the same
        }
        leave();
    }

    // ---- who is busy with it

    /** An operation or a call begins. False if the connection is closed; otherwise to be followed by leaving. */
    boolean enter() {
        return gate.enter();
    }

    /** An operation has ended. Any thread, in the midst of anything. */
    void leave() {
        if (gate.leave()) {
            later(this::end);
        }
    }

    /** The same as the very last a thread of ours does for this connection. */
    private void leaveLast() {
        if (gate.leave()) {
            end();
        }
    }

    void beginTurn() {
        IoThread.step();
        turn.begin(ReadLoop.READS);
    }

    void endTurn() {
        while (turn.isWanted() && !isClosed()) {
            life().tellReadable();
        }
        IoThread.step();
    }

    boolean isInTurn() {
        return turn.isMine();
    }

    boolean mayReadOn() {
        return turn.mayRead();
    }

    // ---- calls of its handler

    /** Sets a new connection going, on the acceptor's thread, which others wait for. */
    void begin(Consumer<Connection> onAccept) {
        enter();
        turn.begin(ReadLoop.ONE_READ);
        try {
            onAccept.accept(this);
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
        endTurn();
        leaveLast();
    }

    /** The read that was waited for has ended, and is still inside. On the thread where it ended. */
    void readable() {
        if (IoThread.isCurrent()) {
            tellReadable();
        } else {
            later(this::tellReadable);
        }
    }

    /** The owner gave up the connection, but there is something to read. On the owner's thread. */
    void readableAlready() {
        if (!turn.goOn()) {
            later(this::callReadable);
        }
    }

    @Override
    protected void callReadable() {
        if (enter()) {
            tellReadable();
        }
    }

    private void tellReadable() {
        beginTurn();
        life().tellReadable();
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
            life().tellIdle();
        } else {
            reader.await(); // another wait than the one that was looked at
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

    void keepOutStrangers() {
        group.keepOutStrangers();
    }
}
