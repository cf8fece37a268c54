package io.millrace.io.socket;

import io.millrace.io.Blocker;
import io.millrace.io.Channel;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.OpenConnection;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.io.Timers;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The common part of connections over sockets: owner, handler, end, idle clock, and membership in a list.
 *
 * @param <C> the type itself
 */
public abstract class SocketConnection<C extends SocketConnection<C>> extends Linked<C>
        implements Connection, IdleCheck {

    private final ConnectionOwner owner;
    private final ConnectionList<C> neighbours;
    private final ConnectionInfo info;
    private final long since = System.nanoTime();
    private final ConnectionLife life = new ConnectionLife(this);
    private final IdleClock clock = new IdleClock(this);
    private volatile boolean reminded;
    private volatile boolean inputEnded;
    private volatile boolean outputEnded;

    /**
     * An open connection without a handler, which is in no list.
     *
     * @param neighbours the list to which it is added when it starts, and from which it is removed at its end
     */
    protected SocketConnection(ConnectionOwner owner, ConnectionList<C> neighbours, ConnectionInfo info) {
        this.owner = owner;
        this.neighbours = neighbours;
        this.info = info;
    }

    /** The channel of this connection, for the constructors of subclasses. */
    protected final Channel channel(boolean sendsFiles, boolean emptyReadsCost, Blocker blocker) {
        return new Channel(info, owner.buffers(), sendsFiles, emptyReadsCost, blocker, owner.timers(), owner.meter());
    }

    /**
     * Runs a task on the thread that calls handlers; inside this call only if no handler is called any more. Safe to
     * call from any thread.
     */
    protected abstract void later(Runnable task);

    /** Ends the owner's wait for input. False if there is none; after true, the caller owns the connection. */
    protected abstract boolean takeWait();

    @Override
    public boolean takeBack() {
        return takeWait();
    }

    /**
     * Calls {@link ConnectionHandler#onReadable} on the thread for handlers. The caller has {@linkplain #takeWait taken
     * the wait}.
     */
    protected abstract void callReadable();

    /**
     * Calls {@link ConnectionHandler#onIdle} on the thread for handlers. The caller has {@linkplain #takeWait taken the
     * wait}.
     */
    protected abstract void callIdle();

    /**
     * Releases its resources. Called after the connection was closed, when no thread is inside a call of its socket;
     * possibly more than once.
     */
    protected abstract void release();

    /** Closes the socket, and arranges a call of {@link #end}. Called once. */
    protected abstract void closeSocket();

    /**
     * Makes closing the socket discard unsent bytes and send a RST (SO_LINGER of 0), if the socket supports it. Called
     * once, just before.
     */
    protected abstract void resetOnClose();

    /** This object, as an element of its list. */
    protected abstract C self();

    // ---- the wait for the peer

    /** Notifies the handler and lets it check its connection: an idle one closes itself. Called on the thread for handlers. */
    public final void drain() {
        life.notifyDrain();
        if (!life.isClosed() && takeWait()) {
            callReadable();
        }
    }

    @Override
    public void overdue() {
        later(this::checkIdle);
    }

    /**
     * Acts if the wait for input or output has timed out; otherwise the clock continues. Called on the thread for
     * handlers.
     */
    protected final void checkIdle() {
        if (life.isClosed()) {
            return;
        }
        if (isWaitingForOutput() && clock.isOutputOver()) {
            reset(outputOverdue());
            return;
        }
        if (isWaitingForInput() && clock.isInputOver() && takeWait()) {
            callIdle();
        }
        clock.watch();
    }

    /** Why a pending write is given up, whose time is over; logs that the peer was too slow. */
    public final SocketTimeoutException outputOverdue() {
        if (!clock.isPeerTooSlow()) {
            return new SocketTimeoutException("write timed out: the peer accepts no data");
        }
        if (owner.meter().limits().reached(Limit.CONNECTION_DOWNLOAD_RATE)) {
            SocketLog.LOG.readerTooSlow(info.remote(), outputRate().rate());
        }
        return new SocketTimeoutException("the peer took output more slowly than minDownloadRate");
    }

    /**
     * Called by the owner after it has started to wait for input. It may have checked for draining just before the
     * transport notified its handler, and the transport may have looked for a wait to end just before this one started;
     * the handler would then not be called before the end of the grace period. A wait that starts while the transport
     * stops is therefore checked once more.
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

    /**
     * Closes the connection at the end of the grace period, with a reset unless all output was sent: the peer must not
     * mistake a partial response for a complete one.
     */
    final void cut(Throwable cause) {
        if (outputEnded) {
            close(cause);
        } else {
            reset(cause);
        }
    }

    /** Records that the peer has ended its output. */
    public final void inputEnded() {
        inputEnded = true;
        if (outputEnded) {
            close(null);
        }
    }

    /** Records that all output has been sent. */
    public final void outputEnded() {
        outputEnded = true;
        if (inputEnded) {
            close(null);
        }
    }

    /** Whether the peer's end of output has been read. */
    public final boolean isInputEnded() {
        return inputEnded;
    }

    /** Called once, on the thread for handlers, after the socket was closed; the last call. */
    protected final void end() {
        try {
            clock.stop();
            release();
        } finally {
            if (life.notifyEnd()) {
                neighbours.remove(self());
                owner.left();
            }
        }
    }

    @Override
    public final void install(ConnectionHandler next) {
        if (!life.install(next)) {
            later(() -> life.notifyClosed(next)); // closed meanwhile: the new handler is notified like the old one
        } else if (owner.isStopping()) {
            life.notifyDrain(); // the thread that stops it may have notified the handler before this one
        }
    }

    @Override
    public final void idleTimeout(Duration timeout) {
        clock.timeout(timeout);
    }

    @Override
    public final void limitWrites(Duration limit) {
        clock.limitOutput(limit);
    }

    @Override
    public final Timers timers() {
        return owner.timers();
    }

    @Override
    public final ConnectionMeter meter() {
        return owner.meter();
    }

    @Override
    public final OutputRate outputRate() {
        return owner.outputRate();
    }

    @Override
    public final boolean isClosed() {
        return life.isClosed();
    }

    /** Whether it waits for input and a timeout limits the wait. For operators, on any thread. */
    final boolean isIdle() {
        return isWaitingForInput() && clock.timeoutNanos() > 0;
    }

    /** For operators, on any thread. */
    final OpenConnection describe() {
        return new OpenConnection(info, System.nanoTime() - since, isWaitingForInput() ? clock.idleNanos() : -1);
    }

    /** The list of this connection's owner or thread. */
    protected final ConnectionList<C> neighbours() {
        return neighbours;
    }

    /** The handler, and whether the connection is closed. */
    public final ConnectionLife life() {
        return life;
    }

    /** Measures idle time. */
    public final IdleClock clock() {
        return clock;
    }
}
