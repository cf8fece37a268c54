package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.VirtualHost;
import io.millrace.handler.AccessLog;
import io.millrace.http1.Http1Options;
import io.millrace.servlet.WebApplication;
import io.millrace.standalone.deploy.ContextName;
import io.millrace.standalone.deploy.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace run app.war}: no configuration file. */
@Command(
        name = "run",
        description = "Serves web applications until SIGTERM or Ctrl-C.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class RunCommand implements Callable<Integer> {

    @Parameters(
            arity = "1..*",
            paramLabel = "WAR",
            description = {
                "A WAR or a directory laid out as one. Its context path comes from its name, as with Tomcat (shop.war is"
                        + " /shop, ROOT.war is /), or is given: shop.war=/store"
            })
    private List<String> wars = List.of();

    @Option(
            names = "--port",
            paramLabel = "N",
            description =
                    "Port to listen on, 0 for a free one. Default: environment variable MILLRACE_HTTP_PORT, else 8080")
    private @Nullable Integer port;

    @Option(names = "--address", paramLabel = "A", description = "Address to listen on. Default: all")
    private @Nullable String address;

    @Option(names = "--transport", paramLabel = "T", defaultValue = "nio", description = "Transport. Default: nio")
    private String transport = "nio";

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description = "Users and their roles, in the form of tomcat-users.xml")
    private @Nullable Path users;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where WARs are unpacked. Default: temporary directories")
    private @Nullable Path work;

    @Option(names = "--access-log", description = "Print a line for each request to stdout")
    private boolean accessLog;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long running requests may take when the server is asked to stop. Default: 30")
    private int grace;

    @Option(
            names = "--drain-delay",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "How long to go on accepting when asked to stop, after the health turned DOWN. Default: 0")
    private int drainDelay;

    @Option(
            names = "--health",
            paramLabel = "PATH",
            description = "Where to tell the server's health. Default: nowhere")
    private @Nullable String health;

    @Option(names = "--verbose", description = "Log what happens in detail; MILLRACE_LOG=debug does the same")
    private boolean verbose;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws OperatorException {
        ConsoleLog.install(verbose);
        Transports.require(transport);
        List<Deployment> deployments = wars.stream().map(Deployment::ofArgument).toList();
        requireDistinct(deployments);
        List<WebApplication> applications = new Applications(options()).of(deployments);
        if (applications.isEmpty()) {
            throw new OperatorException("there is nothing to serve");
        }
        ServerBuilder server = Server.builder().connector(connector()).drainDelay(Duration.ofSeconds(drainDelay));
        if (health != null) {
            server.health(health);
        }
        applications.forEach(server::application);
        if (accessLog) {
            server.accessLog(openAccessLog());
        }
        Launcher launcher = new Launcher(spec.commandLine().getOut());
        server.timers(launcher.timers());
        Launcher.Site site = new Launcher.Site(VirtualHost.named("localhost"), applications);
        WorkerPools none = new WorkerPools(launcher.timers());
        launcher.run(List.of(new Launcher.Plan(server, List.of(site), Duration.ofSeconds(grace), none)));
        return 0;
    }

    private ApplicationOptions options() throws OperatorException {
        return new ApplicationOptions(work, users == null ? null : ApplicationOptions.readUsers(users), null);
    }

    private Connector connector() throws OperatorException {
        int wanted = port != null ? port : DefaultPort.get();
        if (wanted < 0 || wanted > DefaultPort.HIGHEST) {
            throw new OperatorException("--port " + wanted + ": expected a number from 0 to " + DefaultPort.HIGHEST);
        }
        ConnectorBuilder builder = Connector.builder()
                .transport(transport)
                .port(wanted)
                .http1(Http1Options.builder()
                        .connectionTimeout(Duration.ofSeconds(20))
                        .keepAliveTimeout(Duration.ofSeconds(20))
                        .build());
        return address == null ? builder.build() : builder.address(address).build();
    }

    private static AccessLog openAccessLog() throws OperatorException {
        try {
            return AccessLog.builder().open();
        } catch (IOException e) {
            throw new OperatorException("cannot open the access log: " + e.getMessage());
        }
    }

    /** What the operator named must be there; and two applications can't have one path. */
    private static void requireDistinct(List<Deployment> deployments) throws OperatorException {
        Map<ContextName, Path> byName = new HashMap<>();
        for (Deployment deployment : deployments) {
            if (!Files.exists(deployment.docBase())) {
                throw new OperatorException(deployment.docBase() + ": there is no such file or directory");
            }
            Path first = byName.putIfAbsent(deployment.name(), deployment.docBase());
            if (first != null) {
                throw new OperatorException(first + " and " + deployment.docBase() + " have the same context path \""
                        + deployment.contextPath() + "\"; give one another: " + deployment.docBase() + "=/other");
            }
        }
    }
}
