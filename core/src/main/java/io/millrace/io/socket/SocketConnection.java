package io.millrace.io.socket;

import io.millrace.io.Blocker;
import io.millrace.io.Channel;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Timers;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * What connections over sockets have, whatever moves their bytes: their transport, their handler and their end, the clock of
 * their waiting, their neighbours.
 *
 * @param <C> itself
 */
public abstract class SocketConnection<C extends SocketConnection<C>> extends Linked<C> implements Connection, Waiting {

    private final SocketTransport transport;
    private final ConnectionInfo info;
    private final ConnectionLife life = new ConnectionLife(this);
    private final IdleClock clock = new IdleClock(this);
    private volatile boolean reminded;

    /** Open, without a handler, in no list. */
    protected SocketConnection(SocketTransport transport, SocketAddress local, SocketAddress remote) {
        this.transport = transport;
        info = new SocketInfo(local, remote);
    }

    /** What it tells of itself; for the constructor of the class that knows the rest. */
    protected final Channel channel(boolean sendsFiles, boolean emptyReadsCost, Blocker blocker) {
        return new Channel(info, transport.buffers(), sendsFiles, emptyReadsCost, blocker);
    }

    /** Runs a task where handlers are called, not inside this call unless no handler is called any more. Any thread. */
    protected abstract void later(Runnable task);

    /** Tells the handler to drain and lets it look at its connection: an idle one can close itself. Called as handlers are. */
    public abstract void drain();

    /**
     * By the owner, right after it has begun to wait for input. It may have asked whether to drain just before the transport
     * told its handler, and the transport may have looked for a wait to end just before this one began: then nobody would
     * call the handler before the grace is over. So a wait that begins while the transport stops is looked at once more.
     */
    protected final void remindOfDrain() {
        if (transport.isStopping() && !reminded) {
            reminded = true;
            later(this::drain);
        }
    }

    @Override
    public final void install(ConnectionHandler next) {
        if (!life.install(next)) {
            later(() -> life.tellClosed(next)); // closed meanwhile: the new handler hears of it like the old one
        } else if (transport.isStopping()) {
            life.tellDrain(); // whoever stopped it may have told the handler before this one
        }
    }

    @Override
    public final void idleTimeout(Duration timeout) {
        clock.timeout(timeout);
    }

    @Override
    public final Timers timers() {
        return transport.timers();
    }

    @Override
    public final boolean isClosed() {
        return life.isClosed();
    }

    /** Whose it is. */
    public final SocketTransport transport() {
        return transport;
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
