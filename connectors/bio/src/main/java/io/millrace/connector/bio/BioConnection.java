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
import io.millrace.io.socket.SocketInfo;
import io.millrace.io.socket.SocketSettings;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection over one socket. Its handler runs on a thread that the connection has only while it is busy, and which may
 * block ({@link ThreadOwnership}). {@link BioReader} has the input, {@link BioWriter} the output; this class has the calls of
 * the handler, the waits and the close.
 */
final class BioConnection extends SocketConnection<BioConnection> implements SelectorListener {

    private final BioConnections connections;
    private final SocketChannel socket;
    private final Channel channel;
    private final SelectionKey key;
    private final BioReader reader;
    private final BioWriter writer;
    private final ThreadOwnership ownership = new ThreadOwnership();
    private final BioBlocker blocker;

    /** The thread that calls the handler, or null. */
    private volatile @Nullable Thread runner;

    /** The input was to be taken back while a thread was about to wait for it: its wait ends at once, perhaps for nothing. */
    private volatile boolean wantedBack;

    /** Calls since the last wait. Confined to the runner. */
    private int consecutiveCalls;

    BioConnection(ConnectionOwner owner, BioConnections connections, SocketChannel socket) throws IOException {
        super(owner, connections.all(), SocketInfo.of(socket));
        this.connections = connections;
        this.socket = socket;
        blocker = new BioBlocker(this, connections, ownership);
        channel = channel(true, false, blocker);
        reader = new BioReader(this, socket);
        writer = new BioWriter(this, socket);
        key = connections.loop().register(socket, this);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read(channel.buffers());
    }

    @Override
    public void awaitReadable() {
        while (true) {
            ThreadOwnership.State from = ownership.state();
            if (from == ThreadOwnership.State.AWAY) {
                watchPeer(from, ThreadOwnership.Event.AWAIT);
                return;
            }
            if (ownership.move(from, ThreadOwnership.Event.AWAIT)) {
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
        connections.loop().releaseClosed();
        writer.wake();
        scheduleEnd();
    }

    /** If its own thread closes it, that thread notifies the handler when the handler returns; otherwise another one does at once. */
    private void scheduleEnd() {
        if (ownership.take()) {
            resume(this::end);
        } else if (!isRunner()) {
            connections.execute(this::end);
        }
    }

    /** Notifies the handler of a close that happened while the connection's thread waited inside the handler. */
    void endIfClosed() {
        if (isClosed()) {
            end();
        }
    }

    /** Starts a new connection. */
    void begin(Consumer<Connection> onAccept) {
        run(() -> onAccept.accept(this));
    }

    /** Calls the handler as long as there is input. Called on a thread of the transport, in RUNNING. */
    private void run(Runnable first) {
        Runnable call = first;
        consecutiveCalls = 0;
        while (call != null) {
            runner = Thread.currentThread();
            call(call);
            call = nextOrEnd();
        }
    }

    /** A failure between two calls ends this connection; its thread continues with others. */
    private @Nullable Runnable nextOrEnd() {
        try {
            return next();
        } catch (Throwable broken) {
            abandoned(broken);
            return null;
        }
    }

    /** Ends a connection that no thread runs and for which none can be started. */
    private void abandoned(Throwable why) {
        runner = null;
        life().failed(why);
        connections.execute(this::end);
    }

    void call(Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
    }

    /** The next call on this thread; null if the thread is done with the connection. */
    private @Nullable Runnable next() {
        if (isClosed()) {
            runner = null;
            end();
            return null;
        }
        if (ownership.state() == ThreadOwnership.State.RUNNING) {
            runner = null;
            if (ownership.move(ThreadOwnership.State.RUNNING, ThreadOwnership.Event.RETURN)) {
                return null;
            }
        }
        connections.yieldToOthers(); // meanwhile the peer may send the next request
        boolean mayContinue = ++consecutiveCalls < connections.maxConsecutiveCalls();
        if (mayContinue && reader.readAhead(channel.buffers()) || reader.hasReadAhead()) {
            ownership.move(ThreadOwnership.State.WANTED, ThreadOwnership.Event.FOUND);
            return connections.isShortOfThreads() ? requeue() : this::readable;
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

    /** Makes the selector loop wait for the peer. Another thread may own the connection before this returns. */
    void watchPeer(ThreadOwnership.State from, ThreadOwnership.Event event) {
        clock().beginInput();
        long deadline = clock().inputDeadline();
        ownership.move(from, event);
        connections.loop().arm(key, SelectionKey.OP_READ);
        clock().watch(deadline);
        if (isClosed() && ownership.take()) {
            resume(this::end);
        } else if (wantedBack && ownership.take()) {
            wantedBack = false;
            callReadable();
        } else {
            remindOfDrain();
        }
    }

    @Override
    public void ready(int operations) {
        SelectorLoop.disarm(key, operations); // each wait arms it again
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            writer.wake();
        }
        if ((operations & SelectionKey.OP_READ) != 0) {
            takeAndCallReadable();
        }
    }

    @Override
    public void unregistered(Throwable cause) {
        close(cause);
    }

    private void takeAndCallReadable() {
        if (ownership.take()) {
            callReadable();
        }
    }

    /** Makes a call on the thread that waits inside the handler, or on a new one. The caller has taken the wait. */
    private void resume(Runnable call) {
        if (!blocker.hand(call)) {
            start(call);
        }
    }

    private void start(Runnable call) {
        try {
            connections.start(() -> run(call));
        } catch (OutOfMemoryError noThread) {
            abandoned(noThread);
        }
    }

    private void readable() {
        reader.waited();
        life().notifyReadable();
    }

    /** Runs in place, because handlers are called on threads of their own. */
    @Override
    public void overdue() {
        checkIdle();
    }

    @Override
    protected boolean takeWait() {
        return ownership.take();
    }

    /** No thread of the transport gets the connection. */
    @Override
    public boolean takeBack() {
        if (!ownership.take()) {
            wantedBack = true; // before another look: the thread that begins to wait now looks after that
            if (!ownership.take()) {
                return false;
            }
            wantedBack = false;
        }
        reader.waited();
        ownership.move(ThreadOwnership.State.RUNNING, ThreadOwnership.Event.RETURN);
        return true;
    }

    @Override
    protected void callReadable() {
        resume(this::readable);
    }

    @Override
    protected void callIdle() {
        resume(life()::notifyIdle);
    }

    @Override
    public boolean isWaitingForInput() {
        return ownership.state() == ThreadOwnership.State.WAITING;
    }

    /** A write blocks its caller's thread, with a timeout of its own ({@link BioWriter}). */
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
        connections.loop().arm(key, SelectionKey.OP_WRITE);
    }

    @Override
    protected void later(Runnable task) {
        connections.execute(task);
    }
}
