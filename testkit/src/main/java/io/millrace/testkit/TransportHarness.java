package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.Dialer;
import io.millrace.io.ReachedLimits;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.tls.layer.TlsLayer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A bound transport under test, with its buffer pool, its timers and its clients. */
public final class TransportHarness {

    private static final long POOL_BYTES = 64L * 1024 * 1024;

    private final TransportProvider provider;
    private final BufferPool buffers = new BufferPool(POOL_BYTES, true, this::allocate);
    private final Timers timers = new Timers("test-timers");
    private final List<Transport> transports = new ArrayList<>();
    private final List<Dialer> dialers = new ArrayList<>();
    private final BlockingQueue<Probe> accepted = new LinkedBlockingQueue<>();
    private final List<ExecutorService> workers = new ArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();
    private final @Nullable TestTls tls;
    private volatile boolean memoryRefused;
    private TransportOptions options;
    private SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** A harness for transports of this provider. */
    public TransportHarness(TransportProvider provider) {
        this(provider, null);
    }

    /** A harness for transports of this provider, with TLS at both ends of all connections. */
    public static TransportHarness secured(TransportProvider provider, TestTls tls) {
        return new TransportHarness(provider, tls);
    }

    private TransportHarness(TransportProvider provider, @Nullable TestTls tls) {
        this.provider = provider;
        this.tls = tls;
        this.options = TransportOptions.defaults("test-" + provider.name(), buffers, timers);
    }

    /** Whether all connections have TLS. */
    public boolean isSecured() {
        return tls != null;
    }

    /** The TLS of a secured harness. */
    public TestTls tls() {
        return Objects.requireNonNull(tls, "without TLS");
    }

    /** Changes the options of transports that are created from now on. */
    public TransportHarness with(UnaryOperator<TransportOptions> change) {
        options = change.apply(options);
        return this;
    }

    /** Binds a transport whose connections have a {@link Probe} that runs this action when readable. */
    public Transport serve(Consumer<Probe> onReadable) throws IOException {
        return serve((connection, probe) -> probe.onReadable(onReadable));
    }

    /** Binds a transport whose connections have a {@link Probe}, which is prepared before the connection is started. */
    public Transport serve(BiConsumer<Connection, Probe> prepare) throws IOException {
        return accept(connection -> {
            Probe probe = new Probe(connection);
            prepare.accept(connection, probe);
            connection.install(probe); // first: a transport that is stopping drains it on this thread
            accepted.add(probe);
            probe.onReadable();
        });
    }

    /** Binds a transport. */
    public Transport accept(Consumer<Connection> onAccept) throws IOException {
        if (tls == null) {
            return acceptPlain(onAccept);
        }
        TlsLayer layer = new TlsLayer(tls, workers(2), timers, Deadline.DEFAULT);
        return acceptPlain(connection -> layer.open(connection, onAccept));
    }

    /** Binds a transport whose connections are without TLS. */
    public Transport acceptPlain(Consumer<Connection> onAccept) throws IOException {
        Transport transport = unbound();
        address = transport.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), onAccept);
        return transport;
    }

    /** Binds another transport to this address; its connections are closed. */
    public void bind(SocketAddress where) throws IOException {
        unbound().bind(where, connection -> connection.close(null));
    }

    /** A transport that is not bound yet; stopped with the harness. */
    public Transport unbound() {
        Transport transport = provider.create(options);
        transports.add(transport);
        return transport;
    }

    /** The client side of the transport; stopped with the harness. */
    public Dialer dialer() throws IOException {
        Dialer dialer = provider.dialer(options);
        dialers.add(dialer);
        return dialer;
    }

    /** The prefix of the transports' thread names. */
    public String name() {
        return options.name();
    }

    /** The probe of the next accepted connection, in order. */
    public Probe accepted() throws InterruptedException {
        Probe next = accepted.poll(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
            throw new AssertionError("no connection was accepted within " + Deadline.DEFAULT);
        }
        return next;
    }

    /** Whether a transport has been bound. */
    public boolean isServing() {
        return !transports.isEmpty();
    }

    /** A pool of this many threads for the test; it ends after the connections. */
    public ExecutorService workers(int threads) {
        ExecutorService started = Executors.newFixedThreadPool(threads);
        workers.add(started);
        return started;
    }

    /** The address of the last transport. */
    public SocketAddress address() {
        return address;
    }

    /** A client of the last transport; closed with the harness. */
    public RawClient connect() throws IOException {
        return connect(0);
    }

    /** A client with this receive buffer, in bytes, and thus with a small window. */
    public RawClient connect(int receiveBuffer) throws IOException {
        RawClient client = RawClient.connect(address, receiveBuffer);
        clients.add(client);
        if (tls == null) {
            return client;
        }
        RawClient secured = client.secured(tls);
        clients.add(secured);
        return secured;
    }

    /** A client without TLS, which sends the bytes below the application protocol itself. */
    public RawClient connectPlain() throws IOException {
        return connectPlain(0);
    }

    /** A client without TLS, with this receive buffer in bytes. */
    public RawClient connectPlain(int receiveBuffer) throws IOException {
        RawClient client = RawClient.connect(address, receiveBuffer);
        clients.add(client);
        return client;
    }

    /** Timers for the test. */
    public Timers timers() {
        return timers;
    }

    /** The limits that peers of the transports have reached. */
    public ReachedLimits limits() {
        return options.meter().limits();
    }

    /** The pool of the transports. */
    public BufferPool buffers() {
        return buffers;
    }

    /** Makes the pool's allocations fail, or succeed again. Existing buffers are not affected. */
    public void refuseMemory(boolean refused) {
        memoryRefused = refused;
    }

    private ByteBuffer allocate(int size) {
        if (memoryRefused) {
            throw new OutOfMemoryError(
                    "planted by the test: Cannot reserve " + size + " bytes of direct buffer memory");
        }
        return ByteBuffer.allocateDirect(size);
    }

    /** Closes clients and transports, then checks that every chunk was released. */
    public void close() throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
        for (Dialer dialer : dialers) {
            Deadline.await(dialer.stop(Duration.ZERO));
            assertEquals(0, dialer.connections(), "dialled connections left after stop");
        }
        for (Transport transport : transports) {
            Deadline.await(transport.stop(Duration.ZERO));
            assertEquals(0, transport.connections(), "connections left after stop");
        }
        for (ExecutorService each : workers) {
            each.shutdown();
        }
        timers.close();
        if (tls != null) {
            tls.close();
        }
        try {
            Deadline.await("every chunk to be released", () -> buffers.outstanding() == 0);
        } catch (AssertionError leaked) {
            throw new AssertionError(leaked.getMessage() + "; " + buffers.leakReport(), leaked);
        }
    }
}
