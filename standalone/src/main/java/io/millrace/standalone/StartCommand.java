package io.millrace.standalone;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code millrace start}: the server that conf/server.xml configures. */
final class StartCommand implements Command {

    private static final String BASE = "--base";
    private static final String STRICT = "--strict";
    private static final String VERBOSE = "--verbose";

    private static final Syntax SYNTAX = new Syntax(
            "start",
            "Runs the server that conf/server.xml of a base directory configures, until SIGTERM or Ctrl-C.",
            Operand.NONE,
            List.of(
                    Option.of(
                            BASE,
                            "DIR",
                            "Contains conf/server.xml and webapps; relative paths are relative to it. Default: the current directory"),
                    Option.flag(STRICT, "Start nothing if a port of server.xml cannot be opened as configured"),
                    Option.flag(VERBOSE, "Log what happens in detail; MILLRACE_LOG=debug does the same")));

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
        ConsoleLog.install(arguments.flag(VERBOSE));
        Launcher launcher = new Launcher(out, stops);
        ServerConfig config = config(directory, arguments.flag(STRICT));
        try (SharedResources shared = new SharedResources(directory.classes().server())) {
            ServiceFactory factory = new ServiceFactory(directory, launcher.timers(), shared);
            List<Launcher.Plan> plans = new ArrayList<>();
            for (ServerConfig.Service service : config.services()) {
                plans.add(factory.plan(service));
            }
            launcher.run(plans);
        }
    }

    /** The file that the start script wrote for CATALINA_PID. */
    private static void deletePidFile() {
        String file = System.getProperty("millrace.pid");
        if (file != null) {
            try {
                Files.deleteIfExists(Path.of(file));
            } catch (IOException e) {
                Messages.LOG.pidFileNotDeleted(file, e.toString());
            }
        }
    }

    private ServerConfig config(BaseDirectory directory, boolean strict) throws OperatorException {
        Path file = directory.serverXml();
        if (Files.notExists(file)) {
            stopAtErrors(directory.files().problems(), file, strict);
            ServerConfig builtIn = directory.builtIn();
            ServerConfig.Service service = builtIn.services().get(0);
            Messages.LOG.builtInConfiguration(
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
        if (strict && !lost.isEmpty()) {
            throw new OperatorException(file + " has errors, and " + STRICT + " was given; nothing was started");
        }
        lost.forEach(problem -> Messages.LOG.portNotOpened(problem.toString()));
    }
}
