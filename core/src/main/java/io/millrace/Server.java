package io.millrace;

import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.io.Delays;
import io.millrace.protocol.Dispatcher;
import io.millrace.server.ServerMessages;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running server. {@link #builder()} describes and starts one; {@link #stop} ends it, for good. All methods may be
 * called by any thread.
 */
public final class Server implements AutoCloseable {

    private final Resources resources;
    private final Hosting hosting;
    private final ServerListeners listeners;
    private final Duration drainDelay;
    private final AtomicBoolean draining = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Server(ServerBuilder settings) {
        drainDelay = settings.drainDelay;
        resources = new Resources(settings);
        hosting = new Hosting(settings, resources, () -> !draining.get());
        listeners = new ServerListeners(settings, resources);
    }

    /** A server to be described. */
    public static ServerBuilder builder() {
        return new ServerBuilder();
    }

    static Server start(ServerBuilder settings) throws IOException {
        Server server = new Server(settings);
        try {
            server.start(new ExchangeOptions(settings.outputLimit, settings.errors));
            return server;
        } catch (Throwable failure) {
            server.stop(Duration.ZERO);
            throw failure;
        }
    }

    private void start(ExchangeOptions options) throws IOException {
        long begin = System.nanoTime();
        listeners.prepare();
        hosting.start();
        listeners.bind(connector -> dispatcher(connector, options));
        ServerMessages.LOG.started(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }

    private Dispatcher dispatcher(Connector connector, ExchangeOptions options) {
        Workers workers = resources.workersOf(connector);
        return hosting.logged(new ExchangeDispatcher(
                hosting.root(connector), workers, resources.timers(), options, connector.attributes()));
    }

    /** The port of the first connector. */
    public int port() {
        return ports().get(0);
    }

    /** The ports listened on, in the order of the connectors; -1 for one that listens on none (a Unix domain socket). */
    public List<Integer> ports() {
        return addresses().stream()
                .map(address -> address instanceof InetSocketAddress inet ? inet.getPort() : -1)
                .toList();
    }

    /** The connectors that listen; all of them, but for those that need not and could not. */
    public List<Connector> connectors() {
        return listeners.connectors();
    }

    /** The addresses listened on, in the order of {@link #connectors}. */
    public List<SocketAddress> addresses() {
        return listeners.addresses();
    }

    /** The applications that did not start, each with the reason. */
    public Map<Application, Throwable> failures() {
        return hosting.failures();
    }

    /**
     * Starts an application and hosts it on the default host, while the server runs. Blocks until it has started; the
     * other applications go on meanwhile.
     *
     * @throws IllegalArgumentException if the host has an application at this context path
     * @throws IllegalStateException if the server has been stopped
     * @throws Exception if the application does not start: nothing has changed then
     */
    public void deploy(Application application) throws Exception {
        hosting.deploy(null, application);
    }

    /**
     * The same on the host of this name.
     *
     * @throws IllegalArgumentException if there is no such host, or it has an application at this context path
     */
    public void deploy(String host, Application application) throws Exception {
        hosting.deploy(host, application);
    }

    /**
     * Ends an application while the server runs: requests to it are answered as if it were not there, and when the last one
     * that it is working on has ended, or the grace is over, it is stopped. Blocks until then.
     *
     * @throws IllegalArgumentException if it is not hosted here
     */
    public void undeploy(Application application, Duration grace) {
        hosting.undeploy(application, grace);
        renewWorkers();
    }

    /**
     * Ends an application and starts another in its place, at the same context path, which is answered with 503 meanwhile:
     * the two never run at once. Blocks until then.
     *
     * @throws IllegalArgumentException if the first is not hosted here, or the second has another context path
     * @throws Exception if the second does not start: its place is answered with 503 until it is replaced or undeployed,
     *     and it is one of the {@link #failures}
     */
    public void replace(Application running, Application next, Duration grace) throws Exception {
        hosting.replace(running, next, grace);
        renewWorkers();
    }

    /** The application that has ended may have left objects in their thread-locals. */
    private void renewWorkers() {
        resources.workers().renew();
        listeners.connectors().stream()
                .map(resources::workersOf)
                .distinct()
                .filter(workers -> !workers.equals(resources.workers()))
                .forEach(Workers::renew);
    }

    /**
     * Reads the certificates and keys of all connectors again, now, not when they are next looked at; blocks meanwhile.
     * Connections stay. A host whose files can't be used keeps what it has.
     *
     * @return why hosts kept what they had; empty if all files are in use
     */
    public List<String> reloadTls() {
        return listeners.reloadTls();
    }

    /** True until {@link #stop} is called. */
    public boolean isRunning() {
        return !draining.get();
    }

    /**
     * Stops the server: its health turns DOWN; after the drain delay it accepts no more connections, answers what was
     * asked with {@code Connection: close} and closes idle connections. What is not finished when the grace is over is
     * cut. Then the applications stop. Returns when all of this is done; a second call waits for the first. An interrupt
     * cuts the waiting short, not the stopping.
     *
     * @param grace how long running requests may take
     */
    public void stop(Duration grace) {
        if (!draining.compareAndSet(false, true)) {
            awaitStop();
            return;
        }
        try {
            if (!listeners.isEmpty() && !grace.isZero()) {
                ServerMessages.LOG.stopping(TimeUnit.MILLISECONDS.convert(grace));
                pause(drainDelay);
            }
            listeners.stop(grace);
            hosting.stop();
        } finally {
            resources.close();
            stopped.countDown();
        }
    }

    /** Waits until the server has stopped, or the thread is interrupted, which stays visible. */
    public void awaitStop() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops with a grace of ten seconds. */
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
}
