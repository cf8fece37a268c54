package io.millrace.standalone;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.config.Problems;
import io.millrace.standalone.config.ServerConfig;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code millrace start}: what conf/server.xml says. */
final class StartCommand implements Command {

    private static final String BASE = "--base";
    private static final String VERBOSE = "--verbose";

    private static final Syntax SYNTAX = new Syntax(
            "start",
            "Serves what conf/server.xml of a base directory says, until SIGTERM or Ctrl-C.",
            Operand.NONE,
            List.of(
                    Option.of(
                            BASE,
                            "DIR",
                            "Holds conf/server.xml and webapps; what is relative there is relative to it. Default: here"),
                    Option.flag(VERBOSE, "Log what happens in detail; MILLRACE_LOG=debug does the same")));

    private final PrintWriter out;
    private final PrintWriter err;

    StartCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public int run(Arguments arguments) throws OperatorException {
        ConsoleLog.install(arguments.flag(VERBOSE));
        BaseDirectory directory = new BaseDirectory(arguments.path(BASE));
        directory.unread().forEach(problem -> Messages.LOG.notRead(problem.file(), problem.text()));
        Launcher launcher = new Launcher(out);
        ServerConfig config = config(directory);
        try (SharedResources shared = new SharedResources()) {
            ServiceFactory factory = new ServiceFactory(directory, launcher.timers(), shared);
            List<Launcher.Plan> plans = new ArrayList<>();
            for (ServerConfig.Service service : config.services()) {
                plans.add(factory.plan(service));
            }
            launcher.run(plans, true);
        }
        return 0;
    }

    private ServerConfig config(BaseDirectory directory) throws OperatorException {
        Path file = directory.serverXml();
        if (Files.notExists(file)) {
            ServerConfig builtIn = directory.builtIn();
            ServerConfig.Service service = builtIn.services().get(0);
            Messages.LOG.builtInConfiguration(
                    file.toString(),
                    service.connectors().get(0).port(),
                    service.engine().hosts().get(0).appBase().toString());
            return builtIn;
        }
        Problems problems = new Problems(directory.nameOf(file));
        ServerConfig config = directory.read(file, problems);
        if (config != null) {
            new Preflight(directory, problems).check(config);
        }
        BaseDirectory.print(problems, err);
        if (config == null || problems.hasErrors()) {
            throw new OperatorException(file + " has errors; nothing was started");
        }
        return config;
    }
}
