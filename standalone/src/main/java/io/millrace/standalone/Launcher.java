package io.millrace.standalone;

import io.millrace.Application;
import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.VirtualHost;
import io.millrace.http.PercentEncoding;
import io.millrace.io.InheritedSockets;
import io.millrace.io.Timers;
import io.millrace.jmx.JmxDomain;
import io.millrace.proxy.ProxyApplication;
import io.millrace.standalone.admin.Administration;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.log.StandaloneLog;
import io.millrace.text.Plural;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts servers, prints their URLs, and stops them on request. */
final class Launcher {

    /**
     * One server to start.
     *
     * @param hosts its sites, the default host first
     * @param pools its worker pools, closed after it has stopped
     * @param drainDelay as the builder's
     * @param administration is told when it has started
     */
    record Plan(
            ServerBuilder server,
            List<Site> hosts,
            Duration grace,
            Duration drainDelay,
            WorkerPools pools,
            RunningServer administration) {

        /** The plan of a server without a base directory. */
        Plan(ServerBuilder server, List<Site> hosts, Duration grace, Duration drainDelay, WorkerPools pools) {
            this(
                    server,
                    hosts,
                    grace,
                    drainDelay,
                    pools,
                    new RunningServer(Path.of(""), VersionCommand.millraceVersion(), new JmxDomain(JMX_DOMAIN)));
        }

        Server start() throws IOException {
            Server started = server.jmx(administration.jmx()).start();
            administration.started(started);
            hosts.forEach(site -> site.watch.start(started));
            return started;
        }
    }

    /**
     * A virtual host and its applications.
     *
     * @param watch detects changes of its applications
     * @param administration deploys others and ends them; null if nobody may
     */
    record Site(
            VirtualHost host,
            List<? extends Application> applications,
            Watch watch,
            @Nullable Administration administration) {

        Site(VirtualHost host, List<? extends Application> applications) {
            this(host, applications, Watch.NONE, null);
        }

        /** What administers it, if anything does. */
        Stream<Administration> administrations() {
            return Stream.ofNullable(administration);
        }
    }

    /** That of Tomcat's server.xml. */
    private static final String JMX_DOMAIN = "Catalina";

    private record Running(Server server, Plan plan) {

        void stop(Duration longest) {
            plan.hosts.forEach(site -> site.watch.close());
            server.stop(grace(longest));
            plan.pools.close();
        }

        private Duration grace(Duration longest) {
            return plan.grace.compareTo(longest) < 0 ? plan.grace : longest;
        }

        /** How long {@link #stop} may wait for requests. */
        Duration waits(Duration longest) {
            Duration grace = grace(longest);
            return grace.isZero() ? grace : plan.drainDelay.plus(grace);
        }
    }

    /** For all servers. They run on the main thread, in {@link #run}. */
    private final Timers timers = new Timers("millrace-timers");

    private final PrintWriter out;
    private final StopRequests stops;
    private final long began = System.nanoTime();
    private final List<Running> running = new ArrayList<>();
    private volatile ServiceManager manager = ServiceManager.NONE;

    Launcher(PrintWriter out, StopRequests stops) {
        this.out = out;
        this.stops = stops;
    }

    /**
     * Returns when all servers have stopped.
     *
     * @throws OperatorException if nothing can be served: no server starts, or of some applications none
     */
    void run(List<Plan> plans) throws OperatorException {
        JmxReaders.watch(plans.stream().map(plan -> plan.administration.jmx()).toList(), timers);
        try {
            manager = stops.serviceManager();
            manager.starting();
            start(plans);
            if (applications() > 0 && applications() == failures().size()) {
                throw failed("no web application could be started; the lines above say why");
            }
        } catch (OperatorException nothingServes) {
            plans.forEach(plan -> plan.pools.close());
            timers.close();
            throw nothingServes;
        }
        stops.handle(this::stop);
        StartArchive archive = StartArchive.current();
        announce(archive);
        InheritedSockets.OF_PROCESS.unused().forEach(name -> StandaloneLog.SERVER.inheritedSocketUnused(name, name));
        manager.ready(new Serving());
        archive.createIfMissing();
        timers.serve();
        running.forEach(each -> each.server.awaitStop());
        StandaloneLog.SERVER.stopped();
        manager.ended();
    }

    /** Who started the process; nobody before {@link #run}. */
    ServiceManager manager() {
        return manager;
    }

    Timers timers() {
        return timers;
    }

    private void start(List<Plan> plans) throws OperatorException {
        try {
            for (Plan plan : plans) {
                running.add(new Running(plan.start(), plan));
            }
        } catch (UnknownHostException e) {
            throw failed("cannot listen on an unknown address: " + e.getMessage());
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            throw failed(String.valueOf(e.getMessage()));
        }
    }

    private OperatorException failed(String why) {
        running.forEach(each -> each.server.stop(Duration.ZERO));
        return new OperatorException(why);
    }

    private int applications() {
        return running.stream()
                .flatMap(each -> each.plan.hosts.stream())
                .mapToInt(site -> site.applications.size())
                .sum();
    }

    private List<Application> failures() {
        return running.stream()
                .<Application>flatMap(each -> each.plan.hosts.stream()
                        .flatMap(site -> site.applications.stream().filter(application -> isFailed(each, application))))
                .toList();
    }

    private static boolean isFailed(Running each, Application application) {
        return application instanceof FailedApplication
                || each.server.failures().containsKey(application);
    }

    private void announce(StartArchive archive) {
        running.forEach(this::announce);
        double seconds = (System.nanoTime() - began) / 1e9;
        out.printf(
                Locale.ROOT,
                "Millrace %s on Java %s is ready after %.2f s in all, %s%n",
                VersionCommand.millraceVersion(),
                Runtime.version().feature(),
                seconds,
                archive.summary());
        out.flush();
    }

    private void announce(Running each) {
        List<Connector> connectors = each.server.connectors();
        List<SocketAddress> addresses = each.server.addresses();
        boolean first = true;
        for (Site site : each.plan.hosts) {
            for (int i = 0; i < connectors.size(); i++) {
                boolean http = connectors.get(i).isHttp();
                if (http && addresses.get(i) instanceof InetSocketAddress address) { // browsers reach no others
                    String name = first ? hostOf(address) : site.host.name();
                    announce(each, site, connectors.get(i).scheme() + "://" + name + ":" + address.getPort());
                }
            }
            first = false;
        }
    }

    private void announce(Running each, Site site, String origin) {
        for (Application application : site.applications) {
            if (!isFailed(each, application)) {
                String target = application instanceof ProxyApplication ? " " + application.displayName() : "";
                out.println(origin + PercentEncoding.encode(application.contextPath()) + "/" + target);
            }
        }
    }

    /** Returns the host for a browser on this machine. */
    private static String hostOf(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        if (host == null || host.isAnyLocalAddress() || host.isLoopbackAddress()) {
            return "localhost";
        }
        return host.getHostAddress().indexOf(':') < 0 ? host.getHostAddress() : "[" + host.getHostAddress() + "]";
    }

    /** Stops all servers, and returns when they have stopped. */
    void stop(Duration longest) {
        manager.stopping(running.stream()
                .map(each -> each.waits(longest))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO));
        List<Thread> stoppers = running.stream()
                .map(each -> new Thread(() -> each.stop(longest), nameOf(each.server)))
                .toList();
        stoppers.forEach(Thread::start);
        stoppers.forEach(Launcher::join);
        timers.close();
    }

    /** What the service manager sees. */
    private final class Serving implements ServiceManager.Service {

        @Override
        public String status() {
            List<Administration> hosts = running.stream()
                    .flatMap(each -> each.plan.hosts.stream())
                    .flatMap(Site::administrations)
                    .toList();
            int count = hosts.isEmpty()
                    ? applications()
                    : hosts.stream().mapToInt(host -> host.list().size()).sum();
            List<String> failed = hosts.isEmpty()
                    ? failures().stream().map(Launcher::pathOf).sorted().toList()
                    : hosts.stream()
                            .flatMap(host -> host.unavailable().stream())
                            .toList();
            String all = Plural.of(count, "application");
            return failed.isEmpty() ? all : all + ", " + failed.size() + " failed: " + String.join(", ", failed);
        }

        /** The timers' thread asks, so that it has to answer too. */
        @Override
        public CompletionStage<Void> ping() {
            CompletableFuture<CompletionStage<Void>> asked = new CompletableFuture<>();
            timers.schedule(
                    () -> asked.complete(CompletableFuture.allOf(running.stream()
                            .map(each -> each.server.ping().toCompletableFuture())
                            .toArray(CompletableFuture[]::new))),
                    Duration.ZERO);
            return asked.thenCompose(answers -> answers);
        }
    }

    private static String pathOf(Application application) {
        return new ContextName(application.contextPath(), application.version()).marked();
    }

    private static String nameOf(Server server) {
        return server.ports().stream().map(String::valueOf).collect(Collectors.joining("-", "millrace-stop-", ""));
    }

    private static void join(Thread stopper) {
        try {
            stopper.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
