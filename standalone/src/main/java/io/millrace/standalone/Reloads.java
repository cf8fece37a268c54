package io.millrace.standalone;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import io.millrace.http.Authority;
import io.millrace.net.IpLiteral;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.deploy.ClassPathSnapshot;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The classes of applications with {@code reloadable="true"}: which have changed since they were loaded. A change counts once two
 * consecutive looks find the same, so that a compiler is waited for. Without such an application there is nothing to look at.
 *
 * <p>What was found wrong with changed classes is shown to clients on the same machine until the next change: as a header of each response,
 * and once as a page, in place of the next one that a browser asks for.
 */
final class Reloads {

    /** Between two looks: a change is served after two, and the start of the application. */
    static final Duration PERIOD = Duration.ofMillis(500);

    /** A developer who has changed a class does not wait for a request that a browser holds open. */
    static final Duration GRACE = Duration.ofSeconds(1);

    static final String HEADER = "X-Reload-Failed";

    /** The names of fields by which proxies tell that they are one. */
    private static final Pattern RELAYED =
            Pattern.compile("Via|Forwarded|X-Forwarded(-.*)?|X-Real-IP", Pattern.CASE_INSENSITIVE);

    /**
     * An application whose classes have changed.
     *
     * @param served what it runs with
     * @param found what there is now
     * @param changed at least one file
     */
    record Changed(ContextName name, ClassPathSnapshot served, ClassPathSnapshot found, List<Path> changed) {

        /**
         * Returns why one of its classes cannot be loaded; null if all can.
         *
         * @param parent of the class loaders of applications
         * @throws IOException if they are changing
         */
        @Nullable
        String defect(ClassLoader parent) throws IOException {
            return found.defect(served, parent);
        }

        /** For the log. */
        String files() {
            Path first = changed.get(0);
            return changed.size() == 1 ? first.toString() : first + " and " + (changed.size() - 1) + " more files";
        }
    }

    /** Of one application. */
    private static final class Watched {

        final PlannedDeployment deployment;

        /** What it runs with, or did not start with. */
        ClassPathSnapshot served;

        /** What the last look found. */
        ClassPathSnapshot seen;

        /** What was decided about last. */
        ClassPathSnapshot tried;

        Watched(PlannedDeployment deployment, ClassPathSnapshot files) {
            this.deployment = deployment;
            served = files;
            seen = files;
            tried = files;
        }
    }

    /** What is wrong with the changed classes of an application. */
    private static final class Failure {

        final String why;
        final AtomicReference<@Nullable String> page;

        Failure(String why) {
            this.why = why;
            page = new AtomicReference<>(why);
        }
    }

    /** Confined to the lock of the host's deployments. */
    private final Map<ContextName, Watched> watched = new HashMap<>();

    private final Map<ContextName, Failure> failures = new ConcurrentHashMap<>();

    /** Begins to look periodically, and returns what ends that. Null before the start and after the stop. */
    private @Nullable Supplier<Runnable> looking;

    private @Nullable Runnable end;

    /**
     * Begins to look as soon as, and as long as, there is something to look at.
     *
     * @param periodically begins it, and returns what ends it
     */
    synchronized void start(Supplier<Runnable> periodically) {
        looking = periodically;
        beginOrEnd();
    }

    /** Ends looking for good. May be called without the lock. */
    synchronized void stop() {
        looking = null;
        if (end != null) {
            end.run();
            end = null;
        }
    }

    private synchronized void beginOrEnd() {
        if (end == null && looking != null && !watched.isEmpty()) {
            end = looking.get();
        } else if (end != null && watched.isEmpty()) {
            end.run();
            end = null;
        }
    }

    /** Remembers the classes that an application is about to load, if it is reloadable. */
    void serves(PlannedDeployment deployment) {
        watched.remove(deployment.name());
        failures.remove(deployment.name());
        if (deployment.context().settings().isReloadable()) {
            try {
                watched.put(deployment.name(), new Watched(deployment, read(deployment)));
            } catch (IOException e) {
                StandaloneLog.SERVER.notWatched(deployment.name().display(), e.toString());
            }
        }
        beginOrEnd();
    }

    void forget(ContextName name) {
        watched.remove(name);
        failures.remove(name);
        beginOrEnd();
    }

    private static ClassPathSnapshot read(PlannedDeployment deployment) throws IOException {
        ExtraResources extra = deployment
                .context()
                .settings()
                .extraResources(deployment.context().base());
        return ClassPathSnapshot.of(deployment.docBase(), extra);
    }

    /** Looks at all of them; a change is returned until it is served, or has failed. */
    List<Changed> look() {
        List<Changed> changes = new ArrayList<>();
        watched.forEach((name, each) -> {
            try {
                ClassPathSnapshot now = read(each.deployment);
                boolean settled = now.equals(each.seen);
                each.seen = now;
                // nothing at all is there between a build's cleaning and its compiling
                if (settled && !now.equals(each.tried) && !now.isEmpty()) {
                    List<Path> files = now.changedSince(each.served);
                    if (files.isEmpty()) {
                        each.tried = now;
                        failures.remove(name); // it is as it was
                    } else {
                        changes.add(new Changed(name, each.served, now, files));
                    }
                }
            } catch (IOException | UncheckedIOException changing) {
                // it is looked at again
            }
        });
        return changes;
    }

    /** Shows why the earlier classes remain in service, and waits for the next change. */
    void failed(Changed change, String why) {
        Watched each = watched.get(change.name);
        if (each != null) {
            each.tried = change.found;
            failures.put(change.name, new Failure(why));
        }
    }

    /** Wraps a reloadable application in a handler that shows its failures. */
    HttpHandler showing(ContextName name, HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            Failure failure = failures.get(name);
            if (failure == null || !isOfThisMachine(exchange)) {
                Route.follow(exchange, next);
                return;
            }
            String page = asksForPage(exchange) ? failure.page.getAndSet(null) : null;
            exchange.response().headers().set(HEADER, ascii(failure.why));
            if (page == null) {
                Route.follow(exchange, next);
            } else {
                exchange.response().headers().set("Cache-Control", "no-store");
                Responses.text(
                        exchange,
                        500,
                        "The application was not reloaded: " + page
                                + "\n\nIts earlier version remains in service, and answers the"
                                + " next request. When its classes change again, they are loaded again.\n");
            }
        };
    }

    private static boolean asksForPage(HttpExchange exchange) {
        String accept = exchange.request().headers().get("Accept");
        return exchange.request().method().equals("GET") && accept != null && accept.contains("text/html");
    }

    /** A proxy on this machine connects from here too, for everybody: what it adds tells, or the name that its client has asked for. */
    private static boolean isOfThisMachine(HttpExchange exchange) {
        return exchange.channel().info().remote() instanceof InetSocketAddress peer
                && peer.getAddress().isLoopbackAddress()
                && isLocal(Authority.hostOf(exchange.request().authority()))
                && exchange.request().headers().names().stream()
                        .noneMatch(name -> RELAYED.matcher(name).matches());
    }

    private static boolean isLocal(@Nullable String host) {
        if (host == null || host.equalsIgnoreCase("localhost")) {
            return host != null;
        }
        InetAddress literal = IpLiteral.parse(
                host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host);
        return literal != null && literal.isLoopbackAddress();
    }

    private static String ascii(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
