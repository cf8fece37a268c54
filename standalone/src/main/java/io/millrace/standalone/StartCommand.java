package io.millrace.standalone;

import io.millrace.metrics.Metrics;
import io.millrace.net.AddressSet;
import io.millrace.standalone.admin.AdminRoot;
import io.millrace.standalone.admin.Administration;
import io.millrace.standalone.admin.ServerAdministration;
import io.millrace.standalone.base.LoggingLevels;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.HostPort;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.connector.ConnectorKind;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code millrace start}: the server that conf/server.xml configures. */
final class StartCommand implements Command {

    private static final String BASE = "--base";
    private static final String STRICT = "--strict";
    private static final String ADMIN = "--admin";

    private static final Syntax SYNTAX = new Syntax(
            "start",
            "Runs the server that conf/server.xml of a base directory configures, until SIGTERM or Ctrl-C.",
            Operand.NONE,
            Stream.concat(
                            Stream.of(
                                    Option.of(
                                            BASE,
                                            "DIR",
                                            "Contains conf/server.xml and webapps; relative paths are relative to it. Default: the current directory"),
                                    Option.of(
                                            ADMIN,
                                            "HOST:PORT",
                                            "Administration by HTTP there, such as 127.0.0.1:8990; only on this machine"),
                                    Option.flag(
                                            STRICT,
                                            "Start nothing if a part of server.xml, such as a port, cannot be used as configured")),
                            ConsoleLog.OPTIONS.stream())
                    .toList());

    private final PrintWriter out;
    private final PrintWriter err;
    private final StopRequests stops;

    StartCommand(PrintWriter out, PrintWriter err, StopRequests stops) {
        this.out = out;
        this.err = err;
        this.stops = stops;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public int run(Arguments arguments) throws OperatorException {
        try {
            serve(arguments);
            return 0;
        } finally {
            deletePidFile();
        }
    }

    private void serve(Arguments arguments) throws OperatorException {
        BaseDirectory directory = new BaseDirectory(arguments.path(BASE));
        directory.files().useLoggingFile();
        ConsoleLog.install(arguments);
        Launcher launcher = new Launcher(out, stops);
        LoggingLevels levels = LoggingLevels.ofProcess();
        ServerConfig config = config(directory, arguments.flag(STRICT));
        try (SharedResources shared = new SharedResources(directory.classes().server())) {
            ServiceFactory factory = new ServiceFactory(directory, launcher.timers(), shared);
            List<Launcher.Plan> plans = new ArrayList<>();
            for (ServerConfig.Service service : config.services()) {
                plans.add(factory.plan(service));
            }
            AdminDoors.Port port = adminPort(arguments.text(ADMIN), factory, config);
            RunningProcess process = new RunningProcess(
                    plans.stream().map(Launcher.Plan::administration).toList(),
                    plans.stream()
                            .flatMap(plan -> plan.hosts().stream())
                            .flatMap(Launcher.Site::administrations)
                            .toList(),
                    factory.metrics(),
                    launcher,
                    () -> reload(directory, levels, factory, plans));
            try (AdminDoors doors = new AdminDoors(directory.resolve(""), process, port, launcher.timers())) {
                doors.open();
                launcher.run(plans);
            }
        }
    }

    /** Reads again what can be read while the server runs; a line for each. */
    private static List<String> reload(
            BaseDirectory directory, LoggingLevels levels, ServiceFactory users, List<Launcher.Plan> plans) {
        List<String> kept = plans.stream()
                .flatMap(plan -> plan.administration().reloadTls().stream())
                .toList();
        List<String> lines = new ArrayList<>(
                kept.isEmpty()
                        ? List.of("certificates: read again")
                        : kept.stream().map("certificate kept: "::concat).toList());
        lines.addAll(users.reloadUsers());
        lines.addAll(levels.reload());
        lines.add(directory.nameOf(directory.serverXml()) + ": needs a restart of the server");
        return lines;
    }

    private static AdminDoors.@Nullable Port adminPort(
            @Nullable String option, ServiceFactory factory, ServerConfig config) throws OperatorException {
        ServerConfig.Service first = config.services().get(0);
        if (option == null) {
            for (ServerConfig.Service service : config.services()) {
                AdminDoors.Port port = factory.adminPort(service);
                if (port != null) {
                    return port;
                }
            }
            return null;
        }
        if (config.services().stream()
                .anyMatch(service -> !service.administrative().isEmpty())) {
            throw new OperatorException(ADMIN + " " + option
                    + ": server.xml has a Connector with role=\"admin\"; one admin port is possible");
        }
        HostPort address = HostPort.parse(option.indexOf(':') < 0 ? "127.0.0.1:" + option : option);
        if (address == null) {
            throw new OperatorException(ADMIN + " " + option + ": " + HostPort.FORM);
        }
        if (!ConnectorKind.isLoopback(address.host())) {
            throw new OperatorException(
                    ADMIN + " " + option + ": others than this machine could reach it; use a Connector"
                            + " with role=\"admin\", allow=\"…\" and a Realm in server.xml");
        }
        return new AdminDoors.Port(AdminDoors.connector(address), factory.administrators(first), AddressSet.parse(""));
    }

    /** The file that the start script wrote for CATALINA_PID. */
    private static void deletePidFile() {
        String file = System.getProperty("millrace.pid");
        if (file != null) {
            try {
                Files.deleteIfExists(Path.of(file));
            } catch (IOException e) {
                StandaloneLog.SERVER.pidFileNotDeleted(file, e.toString());
            }
        }
    }

    private ServerConfig config(BaseDirectory directory, boolean strict) throws OperatorException {
        Path file = directory.serverXml();
        if (Files.notExists(file)) {
            stopAtErrors(directory.files().problems(), file, strict);
            ServerConfig builtIn = directory.builtIn();
            ServerConfig.Service service = builtIn.services().get(0);
            StandaloneLog.SERVER.builtInConfiguration(
                    file.toString(),
                    service.connectors().get(0).port(),
                    service.engine().hosts().get(0).appBase().toString());
            return builtIn;
        }
        Problems problems = new Problems(directory.nameOf(file));
        directory.files().problems().forEach(problems::add);
        ServerConfig config = directory.read(file, problems);
        if (config != null) {
            new Preflight(directory, problems).check(config);
        }
        stopAtErrors(problems.inOrder(), file, strict);
        if (config == null) {
            throw new OperatorException(file + " has errors; nothing was started");
        }
        return config;
    }

    private void stopAtErrors(List<Problem> problems, Path file, boolean strict) throws OperatorException {
        boolean stops = problems.stream().anyMatch(problem -> problem.severity() == Problem.Severity.ERROR);
        List<Problem> lost = problems.stream()
                .filter(problem -> problem.severity() == Problem.Severity.PORT)
                .toList();
        List<Problem> printed = new ArrayList<>(problems);
        if (!stops && !strict) {
            printed.removeAll(lost); // they are logged
        }
        BaseDirectory.print(printed, err);
        if (stops) {
            throw new OperatorException(file + " has errors; nothing was started");
        }
        if (strict && problems.stream().anyMatch(problem -> problem.severity().isPartial())) {
            throw new OperatorException(file + " has errors, and " + STRICT + " was given; nothing was started");
        }
        lost.forEach(problem -> StandaloneLog.SERVER.portNotOpened(problem.toString()));
    }

    /** The servers that {@code start} runs, as operators see them. */
    private static final class RunningProcess implements AdminRoot {

        private final Instant began =
                ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
        private final List<RunningServer> servers;
        private final List<Administration> hosts;
        private final Metrics metrics;
        private final Launcher launcher;
        private final Supplier<List<String>> reload;
        private final AtomicInteger draining = new AtomicInteger();

        /** @param reload reads the configuration again, and returns what {@link #reloadConfiguration} does */
        RunningProcess(
                List<RunningServer> servers,
                List<Administration> hosts,
                Metrics metrics,
                Launcher launcher,
                Supplier<List<String>> reload) {
            this.servers = List.copyOf(servers);
            this.hosts = List.copyOf(hosts);
            this.metrics = metrics;
            this.launcher = launcher;
            this.reload = reload;
        }

        @Override
        public List<ServerAdministration> servers() {
            return List.copyOf(servers);
        }

        @Override
        public List<Administration> hosts() {
            return hosts;
        }

        @Override
        public Metrics metrics() {
            return metrics;
        }

        @Override
        public Instant began() {
            return began;
        }

        @Override
        public @Nullable String notServing() {
            for (RunningServer each : servers) {
                String why = each.notServing();
                if (why != null) {
                    return why;
                }
            }
            return draining.get() > 0 ? "the server is drained for a deployment" : null;
        }

        @Override
        public List<String> unavailable() {
            return hosts.stream()
                    .flatMap(host ->
                            host.unavailable().stream().map(name -> hosts.size() == 1 ? name : host.host() + name))
                    .toList();
        }

        @Override
        public List<String> failingStores() {
            return hosts.stream()
                    .flatMap(host -> host.failingStores().stream())
                    .distinct()
                    .toList();
        }

        @Override
        public void drain(Duration time) {
            draining.incrementAndGet();
            try {
                Thread.sleep(time.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void endDrain() {
            draining.decrementAndGet();
        }

        @Override
        public void logLevel(String logger, String level, @Nullable Duration time) {
            Runnable undo = ConsoleLog.set(logger, level, time == null);
            if (time != null) {
                launcher.timers().schedule(undo, time);
            }
        }

        @Override
        public synchronized List<String> reloadConfiguration() {
            return launcher.manager().reloading(reload);
        }

        @Override
        public void stop(@Nullable Duration grace) {
            Thread stopper =
                    new Thread(() -> launcher.stop(grace == null ? Signals.UNLIMITED : grace), "millrace-stop");
            stopper.start();
        }
    }
}
