package io.millrace;

import io.millrace.exchange.RequestMeter;
import io.millrace.io.Delays;
import io.millrace.io.ReachedLimits;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.jmx.Bean;
import io.millrace.log.CoreLog;
import io.millrace.protocol.Dispatcher;
import io.millrace.server.Endpoint;
import io.millrace.server.TransportProviders;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/** All connectors of a server. If a required one cannot listen, none does. */
final class ServerListeners {

    /**
     * How long a transport may take to close the remaining connections after the grace period, before it is no longer
     * waited for.
     */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final List<Listener> all = new ArrayList<>();
    private final List<Listener> bound = new ArrayList<>();

    ServerListeners(ServerBuilder settings, Resources resources) {
        TransportProviders transports = resources.transports();
        List<Connector> connectors =
                settings.connectors.isEmpty() ? List.of(Connector.builder().build()) : settings.connectors;
        try {
            for (Connector connector : connectors) {
                all.add(listener(connector, transports.named(connector.transport()), resources, settings.announced));
            }
        } catch (RuntimeException | LinkageError failure) {
            stop(Duration.ZERO);
            throw failure;
        }
    }

    private static Listener listener(
            Connector connector, TransportProvider provider, Resources resources, boolean announced) {
        requireLoop(connector, provider);
        TransportOptions options = connector.transportOptions(resources.buffers(), resources.timers());
        return new Listener(connector, provider.create(options), resources, options.meter(), announced);
    }

    private static void requireLoop(Connector connector, TransportProvider provider) {
        String loop = connector.settings().get(TransportOptions.LOOP);
        if (!loop.isEmpty() && !provider.loops().contains(loop)) {
            throw new IllegalArgumentException(
                    "The transport " + provider.name() + " has no event loop \"" + loop + "\"; "
                            + (provider.loops().isEmpty()
                                    ? "it offers no choice: omit loop"
                                    : "expected one of " + String.join(", ", provider.loops())));
        }
    }

    /** Called before the applications start. */
    void prepare() throws IOException {
        for (Listener listener : all) {
            try {
                listener.prepare();
            } catch (IOException failure) {
                if (listener.isRequired()) {
                    throw failure;
                } // otherwise bind tries again, and reports the failure
            }
        }
    }

    void bind(BiFunction<Connector, RequestMeter, Dispatcher> dispatchers) throws IOException {
        IOException last = null;
        for (Listener listener : all) {
            try {
                listener.bind(dispatchers);
                bound.add(listener);
            } catch (IOException failure) {
                if (listener.isRequired()) {
                    throw failure;
                }
                CoreLog.SERVER.connectorLeftOut(String.valueOf(failure.getMessage()));
                last = failure;
            }
        }
        if (bound.isEmpty() && last != null) {
            throw last;
        }
    }

    List<String> reloadTls() {
        List<String> failures = new ArrayList<>();
        bound.forEach(listener -> failures.addAll(listener.reloadTls()));
        return failures;
    }

    CompletionStage<Void> ping() {
        return CompletableFuture.allOf(
                bound.stream().map(each -> each.ping().toCompletableFuture()).toArray(CompletableFuture[]::new));
    }

    boolean isEmpty() {
        return bound.isEmpty();
    }

    List<Connector> connectors() {
        return bound.stream().map(Listener::connector).toList();
    }

    List<SocketAddress> addresses() {
        return bound.stream().map(Listener::address).toList();
    }

    List<ConnectorState> states() {
        return bound.stream()
                .map(each -> new ConnectorState(
                        each.connector(), each.address(), each.meter(), each.open(), each.connections()))
                .toList();
    }

    List<Bean> beans() {
        return bound.stream().flatMap(listener -> listener.beans().stream()).toList();
    }

    List<ReachedLimits> limits() {
        return bound.stream().map(Listener::limits).toList();
    }

    /** Begins to stop all connectors, without a limit of time; completed when the last connection is closed. */
    CompletionStage<Void> drain() {
        List<CompletableFuture<Void>> drains = begin(ChronoUnit.FOREVER.getDuration());
        for (int i = 0; i < drains.size(); i++) {
            Listener listener = all.get(i);
            drains.get(i).exceptionally(failure -> {
                CoreLog.SERVER.notStopped(Endpoint.describe(listener.address()), failure);
                return null;
            });
        }
        return CompletableFuture.allOf(drains.toArray(CompletableFuture[]::new));
    }

    /**
     * Stops all connectors at the same time, including those that are not bound: they may hold threads.
     *
     * @return whether all of them ended in the grace period
     */
    boolean stop(Duration grace) {
        long begin = System.nanoTime();
        List<CompletableFuture<Void>> stops = begin(grace);
        long deadline = begin + Delays.bounded(Delays.nanos(grace) + CLOSE_TIMEOUT.toNanos());
        boolean ended = true;
        for (int i = 0; i < stops.size(); i++) {
            ended &= await(all.get(i), stops.get(i), deadline - System.nanoTime());
        }
        return ended && System.nanoTime() - begin < Delays.nanos(grace);
    }

    /** Begins to stop each, whatever happens to another one. */
    private List<CompletableFuture<Void>> begin(Duration grace) {
        List<CompletableFuture<Void>> stops = new ArrayList<>();
        for (Listener listener : all) {
            CompletableFuture<Void> stop;
            try {
                stop = listener.stop(grace).toCompletableFuture();
            } catch (RuntimeException | Error failure) {
                stop = CompletableFuture.failedFuture(failure);
            }
            stops.add(stop);
        }
        return stops;
    }

    private static boolean await(Listener listener, CompletableFuture<Void> stop, long nanos) {
        try {
            stop.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            CoreLog.SERVER.notStopped(Endpoint.describe(listener.address()), e);
        }
        return false;
    }
}
