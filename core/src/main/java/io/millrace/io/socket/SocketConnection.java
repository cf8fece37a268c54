package io.millrace.io.socket;

import io.millrace.io.Blocker;
import io.millrace.io.Channel;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Timers;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What connections over sockets have, whatever moves their bytes: their owner, their handler and their end, the clock of
 * their waiting, their neighbours.
 *
 * @param <C> itself
 */
public abstract class SocketConnection<C extends SocketConnection<C>> extends Linked<C>
        implements Connection, IdleCheck {

    private final ConnectionOwner owner;
    private final ConnectionList<C> neighbours;
    private final ConnectionInfo info;
    private final ConnectionLife life = new ConnectionLife(this);
    private final IdleClock clock = new IdleClock(this);
    private volatile boolean reminded;
    private volatile boolean inputEnded;
    private volatile boolean outputEnded;

    /**
     * Open, without a handler, in no list.
     *
     * @param neighbours the list that it is added to once it is sure to begin, and leaves with its end
     */
    protected SocketConnection(
            ConnectionOwner owner, ConnectionList<C> neighbours, SocketAddress local, SocketAddress remote) {
        this.owner = owner;
        this.neighbours = neighbours;
        info = new SocketInfo(local, remote);
    }

    /** Its addresses and facts, for the constructor of a subclass that adds the rest. */
    protected final Channel channel(boolean sendsFiles, boolean emptyReadsCost, Blocker blocker) {
        return new Channel(info, owner.buffers(), sendsFiles, emptyReadsCost, blocker, owner.timers());
    }

    /** Runs a task where handlers are called, not inside this call unless no handler is called any more. Any thread. */
    protected abstract void later(Runnable task);

    /** Ends the owner's wait for input. False if there is none; the caller owns the connection if this is true. */
    protected abstract boolean takeWait();

    /** Calls {@link ConnectionHandler#onReadable}, where handlers are called. By one who has {@linkplain #takeWait taken the wait}. */
    protected abstract void callReadable();

    /** The same with {@link ConnectionHandler#onIdle}. */
    protected abstract void callIdle();

    /** Gives back what it holds. Any number of times, once it is closed, when no thread is inside a call with its socket. */
    protected abstract void release();

    /** Closes the socket, and sees to {@link #end}. Once. */
    protected abstract void closeSocket();

    /** Lets closing the socket drop what is unsent and send RST (SO_LINGER of 0), as far as the socket has a way. Once, just before. */
    protected abstract void resetOnClose();

    /** Itself, as an entry of its list. */
    protected abstract C self();

    // ---- the wait for the peer

    /** Tells the handler to drain and lets it look at its connection: an idle one can close itself. Called as handlers are. */
    public final void drain() {
        life.tellDrain();
        if (!life.isClosed() && takeWait()) {
            callReadable();
        }
    }

    @Override
    public void overdue() {
        later(this::checkIdle);
    }

    /** Acts if the peer has been waited for too long, either way; otherwise the clock goes on. Where handlers are called. */
    protected final void checkIdle() {
        if (life.isClosed()) {
            return;
        }
        if (isWaitingForOutput() && clock.isOutputOver()) {
            reset(new SocketTimeoutException("write timed out: the peer accepts no data"));
            return;
        }
        if (isWaitingForInput() && clock.isInputOver() && takeWait()) {
            callIdle();
        }
        clock.watch();
    }

    /**
     * By the owner, right after it has begun to wait for input. It may have asked whether to drain just before the transport
     * told its handler, and the transport may have looked for a wait to end just before this one began: then nobody would
     * call the handler before the grace is over. So a wait that begins while the transport stops is looked at once more.
     */
    protected final void remindOfDrain() {
        if (owner.isStopping() && !reminded) {
            reminded = true;
            later(this::drain);
        }
    }

    // ---- the end

    @Override
    public final void close(@Nullable Throwable cause) {
        if (life.close(cause)) {
            closeSocket();
        }
    }

    @Override
    public final void reset(@Nullable Throwable cause) {
        if (life.close(cause)) {
            try {
                resetOnClose();
            } finally {
                closeSocket();
            }
        }
    }

    /** The owner's grace is over: the peer must not take what it got for all, unless that was sent. */
    final void cut(Throwable cause) {
        if (outputEnded) {
            close(cause);
        } else {
            reset(cause);
        }
    }

    /** The peer has sent its last. */
    public final void inputEnded() {
        inputEnded = true;
        if (outputEnded) {
            close(null);
        }
    }

    /** Everything was sent. */
    public final void outputEnded() {
        outputEnded = true;
        if (inputEnded) {
            close(null);
        }
    }

    /** Has the peer sent its last, and was that read? */
    public final boolean isInputEnded() {
        return inputEnded;
    }

    /** Called once, when it is closed, where handlers are called; nothing follows. */
    protected final void end() {
        try {
            clock.stop();
            release();
        } finally {
            if (life.tellEnd()) {
                neighbours.remove(self());
                owner.left();
            }
        }
    }

    @Override
    public final void install(ConnectionHandler next) {
        if (!life.install(next)) {
            later(() -> life.tellClosed(next)); // closed meanwhile: the new handler hears of it like the old one
        } else if (owner.isStopping()) {
            life.tellDrain(); // the thread that stops it may have notified the handler before this one
        }
    }

    @Override
    public final void idleTimeout(Duration timeout) {
        clock.timeout(timeout);
    }

    @Override
    public final Timers timers() {
        return owner.timers();
    }

    @Override
    public final boolean isClosed() {
        return life.isClosed();
    }

    /** Those of the same thread or owner. */
    protected final ConnectionList<C> neighbours() {
        return neighbours;
    }

    /** Its handler, and whether it is closed. */
    public final ConnectionLife life() {
        return life;
    }

    /** How long it has waited. */
    public final IdleClock clock() {
        return clock;
    }
}
