package io.millrace.connector.bio;

import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.socket.ConnectionOwner;
import io.millrace.io.socket.SelectorListener;
import io.millrace.io.socket.SelectorLoop;
import io.millrace.io.socket.SocketConnection;
import io.millrace.io.socket.SocketSettings;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One socket. Its handler runs on a thread that is the connection's as long as there is something to do, and that may
 * block; {@link ThreadOwnership} tells when it has none. What goes in is the {@link BioReader}'s, what goes out the {@link
 * BioWriter}'s; here is what concerns both.
 */
final class BioConnection extends SocketConnection<BioConnection> implements SelectorListener {

    private final BioConnections others;
    private final SocketChannel socket;
    private final Channel channel;
    private final SelectionKey key;
    private final BioReader reader;
    private final BioWriter writer;
    private final ThreadOwnership turn = new ThreadOwnership();
    private final BioBlocker blocker;

    /** The thread that calls the handler; null if none does. */
    private volatile @Nullable Thread runner;

    /** Calls since it last waited; the runner's. */
    private int inARow;

    BioConnection(ConnectionOwner owner, BioConnections others, SocketChannel socket) throws IOException {
        super(owner, others.all(), socket.getLocalAddress(), socket.getRemoteAddress());
        this.others = others;
        this.socket = socket;
        blocker = new BioBlocker(this, others, turn);
        channel = channel(true, false, blocker);
        reader = new BioReader(this, socket);
        writer = new BioWriter(this, socket);
        key = others.loop().register(socket, this);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read(channel.buffers());
    }

    @Override
    public void awaitReadable() {
        while (true) {
            ThreadOwnership.State from = turn.state();
            if (from == ThreadOwnership.State.AWAY) {
                watchPeer(from, ThreadOwnership.Event.AWAIT);
                return;
            }
            if (turn.move(from, ThreadOwnership.Event.AWAIT)) {
                return;
            }
        }
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

    /** True on the thread that calls the handler. */
    boolean isRunner() {
        return Thread.currentThread().equals(runner);
    }

    @Override
    protected void resetOnClose() {
        SocketSettings.resetOnClose(socket);
    }

    @Override
    protected void closeSocket() {
        try {
            socket.close();
        } catch (IOException broken) {
            // closed all the same
        }
        others.loop().releaseClosed();
        writer.wake();
        seeToTelling();
    }

    /** Its own thread tells the handler when it is back from it; otherwise another does at once. */
    private void seeToTelling() {
        if (turn.take()) {
            resume(this::end);
        } else if (!isRunner()) {
            others.execute(this::end);
        }
    }

    /** If it was closed while its own thread waited in the midst of the handler, that thread tells the end. */
    void endIfClosed() {
        if (isClosed()) {
            end();
        }
    }

    /** Sets a new connection going. */
    void begin(Consumer<Connection> onAccept) {
        run(() -> onAccept.accept(this));
    }

    /** Calls the handler, and goes on with it as long as there is input. On a thread of the transport, in RUNNING. */
    private void run(Runnable first) {
        Runnable call = first;
        inARow = 0;
        while (call != null) {
            runner = Thread.currentThread();
            call(call);
            call = nextOrEnd();
        }
    }

    /** Whatever fails between two calls ends this connection; its thread goes on with others. */
    private @Nullable Runnable nextOrEnd() {
        try {
            return next();
        } catch (Throwable broken) {
            abandoned(broken);
            return null;
        }
    }

    /** No thread has this connection, nor is there one to go on with it: its handler is told so. */
    private void abandoned(Throwable why) {
        runner = null;
        life().failed(why);
        others.execute(this::end);
    }

    void call(Runnable what) {
        try {
            what.run();
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
    }

    /** What to do next on this thread; null if it is free. */
    private @Nullable Runnable next() {
        if (isClosed()) {
            runner = null;
            end();
            return null;
        }
        if (turn.state() == ThreadOwnership.State.RUNNING) {
            runner = null;
            if (turn.move(ThreadOwnership.State.RUNNING, ThreadOwnership.Event.RETURN)) {
                return null;
            }
        }
        others.letOthersGoFirst(); // meanwhile the peer may send the next request
        boolean mayGoOn = ++inARow < others.mostInARow();
        if (mayGoOn && reader.lookAhead(channel.buffers()) || reader.hasFound()) {
            turn.move(ThreadOwnership.State.WANTED, ThreadOwnership.Event.FOUND);
            return others.isShortOfThreads() ? requeue() : this::readable;
        }
        runner = null;
        watchPeer(ThreadOwnership.State.WANTED, ThreadOwnership.Event.RETURN);
        return null;
    }

    private @Nullable Runnable requeue() {
        runner = null;
        resume(this::readable);
        return null;
    }

    /** Leaves the waiting to the selector loop. The connection may be another thread's before this returns. */
    void watchPeer(ThreadOwnership.State from, ThreadOwnership.Event event) {
        clock().beginInput();
        long deadline = clock().inputDeadline();
        turn.move(from, event);
        others.loop().arm(key, SelectionKey.OP_READ);
        clock().watch(deadline);
        if (isClosed() && turn.take()) {
            resume(this::end);
        } else {
            remindOfDrain();
        }
    }

    @Override
    public void ready(int operations) {
        SelectorLoop.disarm(key, operations); // each wait arms it anew
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            writer.wake();
        }
        if ((operations & SelectionKey.OP_READ) != 0) {
            spur();
        }
    }

    @Override
    public void unregistered(Throwable cause) {
        close(cause);
    }

    private void spur() {
        if (turn.take()) {
            callReadable();
        }
    }

    /** The caller has taken the wait: somebody goes on. */
    private void resume(Runnable call) {
        if (!blocker.hand(call)) {
            start(call);
        }
    }

    private void start(Runnable call) {
        try {
            others.start(() -> run(call));
        } catch (OutOfMemoryError noThread) {
            abandoned(noThread);
        }
    }

    private void readable() {
        reader.waited();
        life().tellReadable();
    }

    /** Whoever is called goes to a thread of its own, so nothing has to be done elsewhere. */
    @Override
    public void overdue() {
        checkIdle();
    }

    @Override
    protected boolean takeWait() {
        return turn.take();
    }

    @Override
    protected void callReadable() {
        resume(this::readable);
    }

    @Override
    protected void callIdle() {
        resume(life()::tellIdle);
    }

    @Override
    public boolean isWaitingForInput() {
        return turn.state() == ThreadOwnership.State.WAITING;
    }

    /** A write waits on its caller's thread, with a time of its own ({@link BioWriter}). */
    @Override
    public boolean isWaitingForOutput() {
        return false;
    }

    @Override
    protected void release() {
        reader.close();
    }

    @Override
    protected BioConnection self() {
        return this;
    }

    void awaitWritable() {
        others.loop().arm(key, SelectionKey.OP_WRITE);
    }

    @Override
    protected void later(Runnable task) {
        others.execute(task);
    }
}
