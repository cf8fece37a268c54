package io.millrace.connector.bio;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.io.socket.ConnectionLife;
import io.millrace.io.socket.IdleClock;
import io.millrace.io.socket.Linked;
import io.millrace.io.socket.SocketInfo;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Waiting;
import io.millrace.io.socket.Watched;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One socket. Its handler runs on a thread that is the connection's as long as there is something to do, and that may
 * block; {@link Turn} tells when it has none. What goes in is the {@link BioReader}'s, what goes out the {@link
 * BioWriter}'s; here is what concerns both.
 */
final class BioConnection extends Linked<BioConnection> implements Connection, Waiting, Watched {

    private final SocketTransport transport;
    private final BioSockets sockets;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final BioReader reader;
    private final BioWriter writer;
    private final Turn turn = new Turn();
    private final ConnectionLife life = new ConnectionLife(this);
    private final IdleClock clock = new IdleClock(this);
    private final ConnectionInfo info;

    /** The thread that calls the handler; null if none does. */
    private volatile @Nullable Thread runner;

    /** Who waits in the midst of the handler. Written before the wait begins, read by the one who takes it. */
    private @Nullable InPlace inPlace;

    /** A connection that begins to wait while the transport stops hears of it once more. */
    private volatile boolean remindedOfDrain;

    BioConnection(SocketTransport transport, BioSockets sockets, SocketChannel channel) throws IOException {
        this.transport = transport;
        this.sockets = sockets;
        this.channel = channel;
        info = new SocketInfo(channel.getLocalAddress(), channel.getRemoteAddress());
        reader = new BioReader(this, channel);
        writer = new BioWriter(this, channel);
        key = sockets.watcher().register(channel, this);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read(transport.buffers());
    }

    @Override
    public void awaitReadable() {
        while (true) {
            Turn.State from = turn.state();
            if (from == Turn.State.AWAY) {
                watchPeer(from, Turn.Event.AWAIT);
                return;
            }
            if (turn.move(from, Turn.Event.AWAIT)) {
                return;
            }
        }
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        while (isMyWait() && latch.getCount() > 0) {
            InPlace here = new InPlace();
            inPlace = here;
            watchPeer(Turn.State.WANTED, Turn.Event.RETURN);
            Runnable call = here.await();
            if (call == null && turn.take()) {
                inPlace = null;
                turn.move(Turn.State.RUNNING, Turn.Event.AWAIT);
                throw new InterruptedException();
            }
            if (call == null) {
                call = here.awaitUninterruptibly();
            }
            inPlace = null;
            call(call);
            if (isClosed()) {
                closed();
            }
        }
        latch.await();
    }

    /** Has this thread called the handler, and will it have to wait for the peer when it is back? */
    private boolean isMyWait() {
        return Thread.currentThread().equals(runner) && turn.state() == Turn.State.WANTED;
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
    public void install(ConnectionHandler next) {
        if (!life.install(next)) {
            sockets.execute(() -> life.tellClosed(next)); // closed meanwhile: it hears of it like the one before
        } else if (transport.isStopping()) {
            life.tellDrain(); // whoever stopped it may have told the handler before this one
        }
    }

    @Override
    public void idleTimeout(Duration timeout) {
        clock.timeout(timeout);
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public ConnectionInfo info() {
        return info;
    }

    @Override
    public BufferPool buffers() {
        return transport.buffers();
    }

    @Override
    public void close(@Nullable Throwable cause) {
        if (life.close(cause)) {
            closeSocket();
            writer.wake();
            seeToTelling();
        }
    }

    private void closeSocket() {
        try {
            channel.close();
        } catch (IOException broken) {
            // closed all the same
        }
        sockets.watcher().forgetClosed();
    }

    /** Its own thread tells the handler when it is back from it; otherwise another does at once. */
    private void seeToTelling() {
        if (turn.take()) {
            resume(this::closed);
        } else if (!Thread.currentThread().equals(runner)) {
            sockets.execute(this::closed);
        }
    }

    private void closed() {
        if (life.tellEnd()) {
            clock.stop();
            reader.close();
            sockets.left(this);
        }
    }

    /** A direction has ended by itself. With both ended nothing is left to do. */
    void directionEnded() {
        if (reader.isEnded() && writer.isFinished()) {
            close(null);
        }
    }

    /** Sets a new connection going. */
    void begin(Consumer<Connection> onAccept) {
        run(() -> onAccept.accept(this));
    }

    /** Calls the handler, and goes on with it as long as there is input. On a thread of the transport, in RUNNING. */
    private void run(Runnable first) {
        Runnable call = first;
        while (call != null) {
            runner = Thread.currentThread();
            call(call);
            call = next();
        }
    }

    private void call(Runnable what) {
        try {
            what.run();
        } catch (Throwable thrown) {
            life.failed(thrown);
        }
    }

    /** What to do next on this thread; null if it is free. */
    private @Nullable Runnable next() {
        if (isClosed()) {
            runner = null;
            closed();
            return null;
        }
        if (turn.state() == Turn.State.RUNNING) {
            runner = null;
            if (turn.move(Turn.State.RUNNING, Turn.Event.RETURN)) {
                return null;
            }
        }
        sockets.letOthersGoFirst(); // meanwhile the peer may send the next request
        if (reader.lookAhead(transport.buffers())) {
            turn.move(Turn.State.WANTED, Turn.Event.FOUND);
            return sockets.isShortOfThreads() ? requeue() : this::readable;
        }
        runner = null;
        watchPeer(Turn.State.WANTED, Turn.Event.RETURN);
        return null;
    }

    private @Nullable Runnable requeue() {
        runner = null;
        resume(this::readable);
        return null;
    }

    /** Leaves the waiting to the watcher. The connection may be another thread's before this returns. */
    private void watchPeer(Turn.State from, Turn.Event event) {
        clock.begin();
        long deadline = clock.deadline();
        turn.move(from, event);
        sockets.watcher().await(key, SelectionKey.OP_READ);
        clock.watch(deadline);
        if (isClosed() && turn.take()) {
            resume(this::closed);
        } else if (transport.isStopping() && !remindedOfDrain) {
            remindedOfDrain = true;
            spur();
        }
    }

    @Override
    public void ready(int operations) {
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            writer.wake();
        }
        if ((operations & SelectionKey.OP_READ) != 0) {
            spur();
        }
    }

    @Override
    public void unwatched(Throwable why) {
        close(why);
    }

    private void spur() {
        if (turn.take()) {
            resume(this::readable);
        }
    }

    /** The caller has taken the wait: somebody goes on. */
    private void resume(Runnable call) {
        InPlace waiting = inPlace;
        if (waiting != null) {
            waiting.hand(call);
        } else {
            sockets.execute(() -> run(call));
        }
    }

    private void readable() {
        reader.waited();
        life.tellReadable();
    }

    /** The clock says so, or said so a moment ago. On any thread. */
    @Override
    public void overdue() {
        if (isWaiting() && clock.isOver() && turn.take()) {
            resume(life::tellIdle);
        } else if (isWaiting()) {
            clock.watch(clock.deadline());
        }
    }

    /** An idle connection can close itself. Any thread. */
    void drain() {
        life.tellDrain();
        spur();
    }

    @Override
    public boolean isClosed() {
        return life.isClosed();
    }

    @Override
    public boolean isWaiting() {
        return turn.state() == Turn.State.WAITING;
    }

    void awaitWritable() {
        sockets.watcher().await(key, SelectionKey.OP_WRITE);
    }

    ConnectionLife life() {
        return life;
    }

    IdleClock clock() {
        return clock;
    }

    @Override
    public Timers timers() {
        return transport.timers();
    }
}
