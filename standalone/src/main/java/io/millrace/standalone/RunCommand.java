package io.millrace.standalone;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.VirtualHost;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AccessLogBuilder;
import io.millrace.handler.AccessLogFormat;
import io.millrace.servlet.deploy.DefaultDescriptors;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.standalone.base.ServerClasses;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code millrace run app.war}: a server without a configuration file. */
final class RunCommand implements Command {

    private static final String USERS = "--users";
    private static final String WORK = "--work";
    private static final String ACCESS_LOG = "--access-log";
    private static final String GRACE = "--grace";
    private static final String DRAIN_DELAY = "--drain-delay";
    private static final String HEALTH = "--health";
    private static final String RULE = "--rule";
    private static final String RULES = "--rules";
    private static final String NO_INDEX = "--no-index";

    private static final int DEFAULT_GRACE = 30;

    static final Option ACCESS_LOG_OPTION = Option.flag(ACCESS_LOG, "Print a line for each request to stdout");
    static final Option GRACE_OPTION = Option.of(
            GRACE, "SECONDS", "How long running requests may take when the server is asked to stop. Default: 30");
    static final Option DRAIN_DELAY_OPTION = Option.of(
            DRAIN_DELAY,
            "SECONDS",
            "How long to keep accepting connections after the health check turned DOWN at a stop. Default: 0");
    static final Option RULE_OPTION =
            Option.of(RULE, "TEXT", "Rules for all requests, such as 'path-prefix(/api) -> rate-limit(20/s)'");
    static final Option RULES_OPTION = Option.of(RULES, "FILE", "The same in a file");
    static final Option HEALTH_OPTION = Option.of(HEALTH, "PATH", "Path of the health check. Default: none");

    private static final Operand WARS = new Operand(
            "WAR",
            1,
            Integer.MAX_VALUE,
            "A WAR or a directory laid out as one. Its context path comes from its name, as with Tomcat (shop.war is"
                    + " /shop, ROOT.war is /), or is given: shop.war=/store");

    private static final Syntax SYNTAX = new Syntax(
            "run",
            "Serves web applications until SIGTERM or Ctrl-C.",
            WARS,
            CliConnector.optionsAnd(
                    ConsoleLog.OPTIONS,
                    Option.of(USERS, "FILE", "Users and their roles, in the form of tomcat-users.xml"),
                    Option.of(WORK, "DIR", "Where WARs are unpacked. Default: temporary directories"),
                    ACCESS_LOG_OPTION,
                    GRACE_OPTION,
                    DRAIN_DELAY_OPTION,
                    HEALTH_OPTION,
                    RULE_OPTION,
                    RULES_OPTION,
                    Option.flag(NO_INDEX, "Do not list the applications at / if there is none at that path")));

    private final PrintWriter out;
    private final StopRequests stops;

    RunCommand(PrintWriter out, StopRequests stops) {
        this.out = out;
        this.stops = stops;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public int run(Arguments arguments) throws OperatorException, UsageException {
        ConsoleLog.install(arguments);
        Duration grace = grace(arguments);
        ServerBuilder server = server(arguments);
        List<Application> applications = applications(arguments, server);
        applications.forEach(server::application);
        server.listApplications(!arguments.flag(NO_INDEX));
        serve(arguments, server, applications, grace, new Launcher(out, stops));
        return 0;
    }

    /** Returns when the server has stopped. */
    static void serve(
            Arguments arguments,
            ServerBuilder server,
            List<? extends Application> applications,
            Duration grace,
            Launcher launcher)
            throws OperatorException, UsageException {
        server.timers(launcher.timers());
        WorkerPools pools = new WorkerPools(launcher.timers());
        if (CliConnector.virtualThreads(arguments)) {
            server.workers(pools.virtual("millrace-worker"));
        }
        Launcher.Site site = new Launcher.Site(host(arguments), applications);
        launcher.run(List.of(new Launcher.Plan(server, List.of(site), grace, drainDelay(arguments), pools)));
    }

    /** With the rules of the command line, those of the file first. */
    private static VirtualHost host(Arguments arguments) throws OperatorException {
        VirtualHost host = VirtualHost.named("localhost");
        Path file = arguments.path(RULES);
        String rule = arguments.text(RULE);
        if (file == null && rule == null) {
            return host;
        }
        Path users = arguments.path(USERS);
        IdentityStore store = users == null ? null : ApplicationOptions.readUsers(users);
        if (file != null) {
            host.before(RuleFiles.ofFile(file, store)::before);
        }
        if (rule != null) {
            host.before(RuleFiles.ofText(RULE, rule, store)::before);
        }
        return host;
    }

    static Duration grace(Arguments arguments) throws UsageException {
        return Duration.ofSeconds(arguments.number(GRACE, DEFAULT_GRACE));
    }

    private static Duration drainDelay(Arguments arguments) throws UsageException {
        return Duration.ofSeconds(arguments.number(DRAIN_DELAY, 0));
    }

    /** Returns a builder with what commands without a configuration file share: connector, access log, health check. */
    static ServerBuilder server(Arguments arguments) throws OperatorException, UsageException {
        ServerBuilder server =
                Server.builder().connector(CliConnector.of(arguments)).drainDelay(drainDelay(arguments));
        String health = arguments.text(HEALTH);
        if (health != null) {
            server.health(health);
        }
        if (arguments.flag(ACCESS_LOG)) {
            server.accessLog(openAccessLog(CliConnector.givesIds(arguments)));
        }
        return server;
    }

    private static List<Application> applications(Arguments arguments, ServerBuilder server) throws OperatorException {
        List<PlannedDeployment> deployments =
                arguments.operands().stream().map(PlannedDeployment::ofArgument).toList();
        requireDistinct(deployments);
        deployments.stream()
                .filter(each -> each.context().settings().isReloadable())
                .forEach(each -> StandaloneLog.SERVER.contextProblem(
                        each.contextPath(), "reloadable=\"true\" has no effect with millrace run; use millrace start"));
        Path users = arguments.path(USERS);
        ApplicationOptions options = new ApplicationOptions(
                arguments.path(WORK),
                users == null ? null : ApplicationOptions.readUsers(users),
                "",
                DefaultDescriptors.NONE,
                new SharedResources(ServerClasses.INSTALLED.server()),
                ServerClasses.INSTALLED,
                "[Catalina].[localhost]",
                Path.of("").toAbsolutePath(),
                null,
                List.of(),
                null);
        Applications factory = new Applications(options);
        List<Application> applications = factory.of(deployments);
        server.unavailable(() -> factory.failures(""));
        if (applications.stream().allMatch(FailedApplication.class::isInstance)) {
            throw new OperatorException("no application can be deployed; the lines above say why");
        }
        return applications;
    }

    /** Written like the server log: lines of the format common, behind which is the request's id, or JSON with the same members. */
    private static AccessLog openAccessLog(boolean withIds) throws OperatorException {
        AccessLogBuilder log = AccessLog.builder();
        if (ConsoleLog.isJson()) {
            log.pattern(AccessLogFormat.JSON, "common");
        } else if (withIds) {
            log.pattern("%h %l %u %t \"%r\" %s %b %{io.millrace.requestId}r");
        }
        try {
            return log.open();
        } catch (IOException e) {
            throw new OperatorException("cannot open the access log: " + e.getMessage());
        }
    }

    /** All files must exist, and no two applications may have the same context path. */
    private static void requireDistinct(List<PlannedDeployment> deployments) throws OperatorException {
        Map<ContextName, Path> byName = new HashMap<>();
        for (PlannedDeployment deployment : deployments) {
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
