package io.millrace.standalone;

import io.millrace.standalone.config.Problems;
import io.millrace.standalone.config.ServerConfig;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace start}: what conf/server.xml says. */
@Command(
        name = "start",
        description = "Serves what conf/server.xml of a base directory says, until SIGTERM or Ctrl-C.",
        mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {

    @Option(
            names = "--base",
            paramLabel = "DIR",
            description = "Holds conf/server.xml and webapps; what is relative there is relative to it. Default: here")
    private @Nullable Path base;

    @Option(names = "--verbose", description = "Log what happens in detail; MILLRACE_LOG=debug does the same")
    private boolean verbose;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws OperatorException {
        ConsoleLog.install(verbose);
        BaseDirectory directory = new BaseDirectory(base);
        PrintWriter out = spec.commandLine().getOut();
        Launcher launcher = new Launcher(out);
        ServerConfig config = config(directory);
        ServiceFactory factory = new ServiceFactory(directory, launcher.timers());
        List<Launcher.Plan> plans = new ArrayList<>();
        for (ServerConfig.Service service : config.services()) {
            plans.add(factory.plan(service));
        }
        launcher.run(plans);
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
        BaseDirectory.print(problems, spec.commandLine().getErr());
        if (config == null) {
            throw new OperatorException(file + " has errors; nothing was started");
        }
        return config;
    }
}
