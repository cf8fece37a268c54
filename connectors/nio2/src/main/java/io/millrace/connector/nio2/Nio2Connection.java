package io.millrace.connector.nio2;

import io.millrace.io.Blocker;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.SocketConnection;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.UseCount;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One socket. Its handler is called on whichever I/O thread an operation ends; bytes are read and written by whoever owns
 * it, on that thread. What goes in is the {@link Nio2Reader}'s, what goes out the {@link Nio2Writer}'s, whose turn it is the
 * {@link Turn}'s; here is what concerns all.
 */
final class Nio2Connection extends SocketConnection<Nio2Connection> {

    private final ConnectionList<Nio2Connection> neighbours;
    private final IoGroup group;
    private final AsynchronousSocketChannel socket;
    private final Channel channel;
    private final Nio2Reader reader;
    private final Nio2Writer writer;
    private final UseCount gate = new UseCount();
    private final Turn turn = new Turn();

    Nio2Connection(
            SocketTransport transport,
            ConnectionList<Nio2Connection> neighbours,
            IoGroup group,
            AsynchronousSocketChannel socket)
            throws IOException {
        super(transport, socket.getLocalAddress(), socket.getRemoteAddress());
        this.neighbours = neighbours;
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
        clock().begin();
        long deadline = clock().deadline();
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
    public void close(@Nullable Throwable cause) {
        if (life().close(cause)) {
            gate.close();
            try {
                socket.close(); // what is pending fails in here
            } catch (IOException ignored) {
                // it is closed all the same
            }
            leave();
        }
    }

    /** Nothing is under way any more: the last that anybody hears of it. */
    private void end() {
        try {
            clock().stop();
            reader.closed();
        } finally {
            life().tellEnd();
            neighbours.remove(this);
            transport().left();
        }
    }

    /** A direction has ended by itself. With both ended nothing is left to do. */
    void directionEnded() {
        if (reader.isEnded() && writer.isFinished()) {
            close(null);
        }
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
        turn.begin(Turn.READS);
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
        turn.begin(Turn.ONE_READ);
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

    private void callReadable() {
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
    public void overdue() {
        later(this::checkIdle);
    }

    /** On the thread for tasks, as below. */
    private void checkIdle() {
        if (isClosed()) {
            return;
        }
        if (writer.isWaiting() && clock().isOver()) {
            close(new SocketTimeoutException("the peer took nothing of a write for too long"));
        } else if (reader.isWaiting() && clock().isOver() && reader.takeBack()) {
            idle();
        } else if (isWaiting()) {
            clock().watch(clock().deadline());
        }
    }

    private void idle() {
        if (!enter()) {
            return;
        }
        beginTurn();
        if (clock().isOver()) {
            life().tellIdle();
        } else {
            reader.await(); // another wait than the one that was looked at
        }
        endTurn();
        leaveLast();
    }

    @Override
    public void drain() {
        life().tellDrain();
        if (!isClosed() && reader.takeBack()) {
            callReadable();
        }
    }

    @Override
    public boolean isWaiting() {
        return reader.isWaiting() || writer.isWaiting();
    }

    @Override
    protected void later(Runnable task) {
        group.later(task);
    }

    void keepOutStrangers() {
        group.keepOutStrangers();
    }
}
