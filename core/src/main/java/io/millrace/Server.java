package io.millrace;

import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.exchange.RequestMeter;
import io.millrace.io.Delays;
import io.millrace.io.PortInUseException;
import io.millrace.io.ReachedLimits;
import io.millrace.io.Timers;
import io.millrace.jmx.Bean;
import io.millrace.jmx.JmxDomain;
import io.millrace.log.CoreLog;
import io.millrace.metrics.Durations;
import io.millrace.metrics.Metrics;
import io.millrace.protocol.Dispatcher;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A running server. {@link #builder()} configures and starts one; {@link #stop} stops it, and it cannot be restarted.
 * All methods are safe to call from any thread.
 */
public final class Server implements AutoCloseable {

    /** How long a drain waits before it asks again for a worker. */
    private static final Duration WORKER_RETRY = Duration.ofSeconds(1);

    private final Resources resources;
    private final Hosting hosting;
    private final ServerListeners listeners;
    private final Duration drainDelay;
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Drained> drained = new CompletableFuture<>();
    private volatile Timers.@Nullable Timer drainTimer;
    private final ExchangeOptions options;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final boolean announced;
    private final @Nullable JmxDomain jmx;
    private final @Nullable ShutdownHook hook;

    private Server(ServerBuilder settings) {
        announced = settings.announced;
        options = new ExchangeOptions(settings.outputLimit, settings.errors);
        jmx = settings.jmx;
        drainDelay = settings.drainDelay;
        Duration grace = settings.shutdownGrace;
        hook = grace == null ? null : new ShutdownHook(this::stop, grace, ShutdownHook.limitNanos(drainDelay, grace));
        resources = settings.resources();
        hosting = new Hosting(settings, resources, () -> !draining.get());
        listeners = new ServerListeners(settings, resources);
    }

    /** A builder with default settings. */
    public static ServerBuilder builder() {
        return new ServerBuilder();
    }

    static Server start(ServerBuilder settings) throws IOException {
        Server server = new Server(settings);
        try {
            long begin = System.nanoTime();
            server.listeners.prepare();
            server.hosting.start();
            server.listen(begin);
            return server;
        } catch (Throwable failure) {
            server.stop(Duration.ZERO);
            throw failure;
        }
    }

    static Prepared prepare(ServerBuilder settings) {
        Server server = new Server(settings);
        try {
            long begin = System.nanoTime();
            server.hosting.start();
            return new Prepared(server, begin);
        } catch (Throwable failure) {
            server.stop(Duration.ZERO);
            throw failure;
        }
    }

    private void listen(long begin) throws IOException {
        listeners.bind(this::dispatcher);
        if (hook != null) {
            hook.register();
        }
        if (jmx != null) {
            jmx.offer(this::beans);
        }
        if (announced) {
            CoreLog.SERVER.started(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        }
    }

    private List<Bean> beans() {
        List<Bean> beans = new ArrayList<>(listeners.beans());
        beans.add(Bean.of("A server", "type", "Server")
                .attribute("serverInfo", String.class, "its name and version", () -> "Millrace/" + version())
                .attribute(
                        "stateName", String.class, "STARTED or STOPPING", () -> isRunning() ? "STARTED" : "STOPPING"));
        return beans;
    }

    /** From the manifest, which a class directory lacks. */
    private static String version() {
        String version = Server.class.getPackage().getImplementationVersion();
        return version == null ? "(development)" : version;
    }

    private Dispatcher dispatcher(Connector connector, RequestMeter meter) {
        Workers workers = resources.workersOf(connector);
        ExchangeDispatcher dispatcher = new ExchangeDispatcher(
                hosting.root(connector), workers, resources.timers(), options, connector.attributes(), meter);
        if (connector.settings().get(ConnectorOptions.REQUEST_ID)) {
            dispatcher = dispatcher.withRequestIds();
        }
        if (connector.settings().get(ConnectorOptions.INLINE_SHORT)) {
            dispatcher = dispatcher.withInlineRuns(meter.inline());
        }
        int most = connector.settings().get(ConnectorOptions.MAX_THREADS_PER_ADDRESS);
        return hosting.logged(most == Integer.MAX_VALUE ? dispatcher : dispatcher.withMaxPerAddress(most));
    }

    /** The port that the first connector listens on; -1 if that is a Unix domain socket. */
    public int port() {
        return ports().get(0);
    }

    /** The ports that the server listens on, in the order of {@link #connectors}; -1 for a Unix domain socket. */
    public List<Integer> ports() {
        return addresses().stream()
                .map(address -> address instanceof InetSocketAddress inet ? inet.getPort() : -1)
                .toList();
    }

    /**
     * The connectors that are listening. A connector with {@link ConnectorOptions#THROW_ON_FAILURE} set to false that
     * could not listen is not among them.
     */
    public List<Connector> connectors() {
        return listeners.connectors();
    }

    /** The addresses that the server listens on, in the order of {@link #connectors}. */
    public List<SocketAddress> addresses() {
        return listeners.addresses();
    }

    /** How often clients have reached the limits of what one of them may occupy, in the order of {@link #connectors}. */
    public List<ReachedLimits> reachedLimits() {
        return listeners.limits();
    }

    /** What the connectors are doing, in the order of {@link #connectors}. */
    public List<ConnectorState> connectorStates() {
        return listeners.states();
    }

    /**
     * Asks whether the connectors' threads are alive: a watchdog restarts a server that does not answer. Does not block.
     *
     * @return completed when each accept thread and each I/O thread has run a task; later or never while one of them hangs
     */
    public CompletionStage<Void> ping() {
        return listeners.ping();
    }

    /** What the server counts of itself, to be shown by a {@link io.millrace.handler.MetricsHandler} for example. */
    public Metrics metrics() {
        return resources.metrics();
    }

    /** How long the requests of an application took since it started; null if it does not run. */
    public @Nullable Durations durations(Application application) {
        return hosting.durations(application);
    }

    /** The applications that failed to start, with the reasons; a copy. */
    public Map<Application, Throwable> failures() {
        return hosting.failures();
    }

    /**
     * Starts an application on the default host while the server runs. Blocks until the application has started; other
     * applications are not affected. Concurrent deployments run one after the other.
     *
     * @throws IllegalArgumentException if the host has an application with this context path and version
     * @throws IllegalStateException if the server has been stopped
     * @throws Exception if the application fails to start; it is then not deployed
     */
    public void deploy(Application application) throws Exception {
        hosting.deploy(null, application);
    }

    /**
     * Starts an application on the virtual host of this name while the server runs, as {@link #deploy(Application)}
     * does.
     *
     * @throws IllegalArgumentException if there is no such host, or it has an application with this context path and
     *     version
     * @throws IllegalStateException if the server has been stopped
     * @throws Exception if the application fails to start; it is then not deployed
     */
    public void deploy(String host, Application application) throws Exception {
        hosting.deploy(host, application);
    }

    /**
     * Removes an application while the server runs. New requests are handled as if it did not exist; it is stopped when
     * its running requests have ended, or at the end of the grace period. Blocks until then.
     *
     * @param grace how long running requests may take
     * @throws IllegalArgumentException if the server does not host the application
     */
    public void undeploy(Application application, Duration grace) {
        hosting.undeploy(application, grace);
        renewWorkers();
    }

    /**
     * Stops an application and starts another one in its place, at the same context path. The two never run at the same
     * time; requests that arrive meanwhile wait for the second, each for half a minute at most, and get a 503 response then. Blocks
     * until the second has started.
     *
     * @param grace how long running requests of the first application may take
     * @throws IllegalArgumentException if the server does not host the first application, or if the second has another
     *     context path or version
     * @throws IllegalStateException if the server has been stopped
     * @throws Exception if the second fails to start; requests then get a 503 response until it is replaced or
     *     undeployed, and it is listed in {@link #failures}
     */
    public void replace(Application running, Application next, Duration grace) throws Exception {
        hosting.replace(running, next, grace);
        renewWorkers();
    }

    /** The application that was stopped may have left objects in the workers' thread-locals. */
    private void renewWorkers() {
        resources.workers().renew();
        listeners.connectors().stream()
                .map(resources::workersOf)
                .distinct()
                .filter(workers -> !workers.equals(resources.workers()))
                .forEach(Workers::renew);
    }

    /**
     * Reloads the certificates and keys of all connectors immediately instead of at their next check. Blocks until done.
     * Open connections are not affected. A host whose files cannot be used keeps its current certificate.
     *
     * @return for each host that kept its current certificate, the reason; empty if all files were loaded
     */
    public List<String> reloadTls() {
        return listeners.reloadTls();
    }

    /** Whether the server accepts requests: true until {@link #stop} or {@link #drain} is called. */
    public boolean isRunning() {
        return !draining.get();
    }

    /** How a {@linkplain #drain drain} has ended. */
    public enum Drained {
        /** All requests have been answered and all connections are closed. */
        IDLE,
        /** {@link #stop} has closed connections on which requests were running. */
        REQUESTS_ACTIVE,
        /** The server had been stopped before. */
        IMMEDIATE
    }

    /**
     * Begins a graceful stop and does not wait for it: the health turns to DOWN, and after the {@linkplain ServerBuilder#drainDelay
     * drain delay} the server stops accepting, responds to running requests with {@code Connection: close} and closes idle
     * connections. There is no limit of time, and the applications keep running: call {@link #stop} when the stage has completed,
     * or when it has taken too long. Further calls return the same stage.
     *
     * @return completed when the last connection is closed, on any thread; its actions must not block
     */
    public CompletionStage<Drained> drain() {
        if (stopping.get()) {
            drained.complete(Drained.IMMEDIATE);
        } else if (draining.compareAndSet(false, true)) {
            if (drainDelay.isZero()) {
                drainConnections();
            } else {
                drainAfter(drainDelay);
            }
        } // otherwise another drain or stop completes the stage
        return drained.minimalCompletionStage();
    }

    private void drainAfter(Duration delay) {
        drainTimer = resources.timers().schedule(this::drainOnWorker, delay);
        if (stopping.get()) {
            cancelDrain();
        }
    }

    /** On the timer thread, which must not block. */
    private void drainOnWorker() {
        try {
            resources.workers().execute(this::drainConnections);
        } catch (RejectedExecutionException | OutOfMemoryError full) {
            if (!stopping.get()) {
                drainAfter(WORKER_RETRY);
            }
        }
    }

    private void cancelDrain() {
        Timers.Timer timer = drainTimer;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void drainConnections() {
        listeners.drain().whenComplete((done, failure) -> {
            // a failure leaves connections to stop, which also knows whether it has closed some
            if (failure == null && !stopping.get()) {
                drained.complete(Drained.IDLE);
            }
        });
    }

    /**
     * Stops the server gracefully. Its health turns to DOWN. After the {@linkplain ServerBuilder#drainDelay drain delay}
     * it stops accepting, responds to running requests with {@code Connection: close} and closes idle connections. At
     * the end of the grace period it closes the remaining connections, then it stops the applications. Blocks until all
     * of this is done; further calls wait for the first one. If the thread is interrupted, the remaining waits are cut
     * short, but the server is still stopped.
     *
     * @param grace how long running requests may take; if zero, the drain delay is skipped; it is skipped too after {@link #drain}
     */
    public void stop(Duration grace) {
        if (!stopping.compareAndSet(false, true)) {
            awaitStop();
            return;
        }
        boolean wasDraining = !draining.compareAndSet(false, true);
        cancelDrain();
        Drained end = wasDraining ? Drained.REQUESTS_ACTIVE : Drained.IMMEDIATE;
        try {
            if (!listeners.isEmpty() && !grace.isZero()) {
                CoreLog.SERVER.stopping(TimeUnit.MILLISECONDS.convert(grace));
                if (!wasDraining) {
                    pause(drainDelay);
                }
            }
            hosting.stopping(grace);
            if (listeners.stop(grace) && wasDraining) {
                end = Drained.IDLE;
            }
            drained.complete(end);
            hosting.stop();
        } finally {
            drained.complete(end);
            if (jmx != null) {
                jmx.close();
            }
            resources.close();
            stopped.countDown();
            if (hook != null) {
                hook.remove();
            }
        }
    }

    /** Blocks until the server has stopped. Returns early, with the interrupt status set, if the thread is interrupted. */
    public void awaitStop() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the server with a grace period of ten seconds. */
    @Override
    public void close() {
        stop(Duration.ofSeconds(10));
    }

    private void pause(Duration delay) {
        try {
            if (stopped.await(Delays.nanos(delay), TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("stopped while it was stopping");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A server whose applications have started and whose ports are not bound: for frameworks that start applications first, and
     * for a process that waits until another one has left its port. Either {@link #listen} or {@link #close} is called. Not
     * thread-safe.
     */
    public static final class Prepared implements AutoCloseable {

        private final Server server;
        private final long begin;
        private boolean used;

        private Prepared(Server server, long begin) {
            this.server = server;
            this.begin = begin;
        }

        /** The applications that failed to start, with the reasons; a copy. */
        public Map<Application, Throwable> failures() {
            return server.failures();
        }

        /**
         * Binds the ports and serves requests. If one cannot be bound, none is, and the applications keep running until {@link
         * #close}.
         *
         * @throws PortInUseException if a port is in use
         * @throws IOException if a connector cannot listen for another reason; the message names the address
         * @throws IllegalStateException if it was called before, or after {@link #close}
         */
        public Server listen() throws IOException {
            if (used) {
                throw new IllegalStateException("the server has listened, or was closed; prepare another one");
            }
            used = true;
            try {
                server.listen(begin);
                return server;
            } catch (Throwable failure) {
                server.listeners.stop(Duration.ZERO);
                throw failure;
            }
        }

        /** Stops the applications, and the server if it listens, with a grace period of ten seconds. */
        @Override
        public void close() {
            used = true;
            server.close();
        }
    }
}
