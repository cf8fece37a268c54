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
 * TLS over any connection, server side by {@link #open}, client side by {@link #connect}. What it gives upwards has done its handshake. Failed handshakes are logged at
 * debug level, one line each, and counted: on an open port they are everyday noise.
 */
public final class TlsLayer implements ConnectionLayer {

    private final TlsEngines engines;
    private final Executor workers;
    private final Executor tasks;
    private final Timers timers;
    private final Duration handshakeTimeout;
    private final RecordBuffers records = new RecordBuffers();
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /**
     * A layer for any number of connections.
     *
     * @param engines makes an engine for each
     * @param workers run the long computations of handshakes, a few at once
     * @param timers for the handshake's timeout
     * @param handshakeTimeout how long a handshake may take, from the connection's first moment; zero for ever
     */
    public TlsLayer(TlsEngines engines, Executor workers, Timers timers, Duration handshakeTimeout) {
        this.engines = engines;
        this.workers = workers;
        this.tasks = new HandshakeTasks(workers, HandshakeTasks.defaultLimit());
        this.timers = timers;
        this.handshakeTimeout = handshakeTimeout;
    }

    /** A layer of clients alone: as above, without engines of a server. */
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
     * Client side: begins the handshake. By the connection's owner, as {@link #open}. One of the two is called, once; neither may
     * block.
     *
     * @param engine of {@link io.millrace.tls.TlsClientEngines}; released with the connection
     * @param onReady gets the connection, and must install a handler
     * @param onFailed the handshake failed, and the connection is being closed: an {@link javax.net.ssl.SSLException} if the peer is not trusted,
     *     for example
     */
    public void connect(
            Connection below, TlsEngine engine, Consumer<Connection> onReady, Consumer<Throwable> onFailed) {
        new TlsHandshake(this, below, onReady, onFailed).begin(engine);
    }

    /** Handshakes that were completed. */
    public long handshakes() {
        return done.sum();
    }

    /** Handshakes that failed: refused, timed out, broken off, or no TLS at all. */
    public long failedHandshakes() {
        return failed.sum();
    }

    TlsEngines engines() {
        return engines;
    }

    /** For what belongs to a handshake. */
    Executor tasks() {
        return tasks;
    }

    /** For what comes after it. */
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

    void countDone() {
        done.increment();
    }

    void countFailed() {
        failed.increment();
    }
}
