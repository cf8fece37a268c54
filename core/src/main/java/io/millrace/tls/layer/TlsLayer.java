package io.millrace.tls.layer;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionLayer;
import io.millrace.io.Timers;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsEngines;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * TLS over any connection: the server side with {@link #open}, the client side with {@link #connect}. Connections are passed on after their
 * handshake. Failed handshakes are counted, and logged at debug level, because they are frequent on a public port.
 */
public final class TlsLayer implements ConnectionLayer {

    private final TlsEngines engines;
    private final Executor workers;
    private final Executor tasks;
    private final Timers timers;
    private final Duration handshakeTimeout;
    private final RecordBuffers records = new RecordBuffers();
    private final LongAdder full = new LongAdder();
    private final LongAdder resumed = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /**
     * A layer for any number of connections.
     *
     * @param engines creates an engine for each
     * @param workers run the long computations of handshakes, a few at a time
     * @param timers for handshake timeouts
     * @param handshakeTimeout from the connection to the end of the handshake; zero for none
     */
    public TlsLayer(TlsEngines engines, Executor workers, Timers timers, Duration handshakeTimeout) {
        this.engines = engines;
        this.workers = workers;
        this.tasks = new HandshakeTasks(workers, HandshakeTasks.defaultLimit());
        this.timers = timers;
        this.handshakeTimeout = handshakeTimeout;
    }

    /** A layer for outgoing connections only. */
    public static TlsLayer ofClients(Executor workers, Timers timers, Duration handshakeTimeout) {
        TlsEngines none = (serverName, remote) -> {
            throw new IOException("this TLS layer supports outgoing connections only");
        };
        return new TlsLayer(none, workers, timers, handshakeTimeout);
    }

    @Override
    public void open(Connection below, Consumer<Connection> onReady) {
        new TlsHandshake(this, below, onReady, failure -> {}).begin(null);
    }

    /**
     * Begins the client's handshake. Called by the connection's owner, as {@link #open}. One of the callbacks is called, once; neither may
     * block.
     *
     * @param engine created by {@link io.millrace.tls.TlsClientEngines}; released with the connection
     * @param onReady receives the connection, and must install a handler
     * @param onFailed receives the failure, an {@link javax.net.ssl.SSLException} if the peer is not trusted, for example; the connection
     *     is being closed
     */
    public void connect(
            Connection below, TlsEngine engine, Consumer<Connection> onReady, Consumer<Throwable> onFailed) {
        new TlsHandshake(this, below, onReady, onFailed).begin(engine);
    }

    /** The number of completed handshakes. */
    public long handshakes() {
        return full.sum() + resumed.sum();
    }

    /** The number of completed handshakes that resumed no session. */
    public long fullHandshakes() {
        return full.sum();
    }

    /** The number of completed handshakes that resumed a session. */
    public long resumedHandshakes() {
        return resumed.sum();
    }

    /** The number of failed handshakes: rejected, timed out, aborted, or not TLS. */
    public long failedHandshakes() {
        return failed.sum();
    }

    TlsEngines engines() {
        return engines;
    }

    /** Runs the computations of handshakes, with a limit. */
    Executor tasks() {
        return tasks;
    }

    /** Runs the first request of a connection. */
    Executor workers() {
        return workers;
    }

    Timers timers() {
        return timers;
    }

    Duration handshakeTimeout() {
        return handshakeTimeout;
    }

    RecordBuffers records() {
        return records;
    }

    void countDone(boolean isResumed) {
        (isResumed ? resumed : full).increment();
    }

    void countFailed() {
        failed.increment();
    }
}
