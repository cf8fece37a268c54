package io.millrace.standalone;

import io.millrace.proxy.BackendAddress;
import io.millrace.servlet.WarInspection;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.deploy.DefaultDescriptors;
import io.millrace.servlet.session.cluster.SessionCluster;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.HostKind;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.proxy.Proxy;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.log.StderrLog;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.material.ReloadingEngines;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** {@code millrace check}: validates a configuration and prints what start would do. */
final class CheckCommand implements Command {

    private static final String BASE = "--base";
    private static final String CONNECT = "--connect";

    /** For connecting, and for each answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Syntax SYNTAX = new Syntax(
            "check",
            "Reports the problems of a server.xml, and what start would listen on and deploy.",
            new Operand("FILE", 0, 1, "Default: conf/server.xml of the base directory"),
            List.of(
                    Option.of(
                            BASE,
                            "DIR",
                            "Default: the directory of FILE, or above it if it is conf; without FILE, the current one"),
                    Option.flag(CONNECT, "Also connect to what shares the sessions (Cluster)")));

    private final PrintWriter out;

    CheckCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public int run(Arguments arguments) throws OperatorException {
        Path file = arguments.operands().isEmpty()
                ? null
                : Path.of(arguments.operands().get(0));
        StderrLog.level(Logger.Level.WARN); // without the times that reading applications took
        Path base = arguments.path(BASE);
        BaseDirectory directory = new BaseDirectory(base == null && file != null ? above(file) : base);
        Path checked = file == null ? directory.serverXml() : file;
        Problems problems = new Problems(directory.nameOf(checked));
        ServerConfig config = read(directory, file, problems);
        directory.files().problems().forEach(problems::add);
        List<String> plan = new ArrayList<>(directory.files().describe());
        if (config != null) {
            new Preflight(directory, problems).check(config);
            config.services().forEach(service -> describe(service, directory, problems, plan));
            if (arguments.flag(CONNECT) && !problems.hasMistakes()) {
                config.services().stream()
                        .flatMap(service -> service.engine().hosts().stream())
                        .flatMap(host -> Stream.ofNullable(host.cluster()))
                        .distinct()
                        .forEach(cluster -> connect(cluster, directory, problems, plan));
            }
        }
        BaseDirectory.print(problems.inOrder(), out);
        plan.forEach(out::println);
        out.println(problems.summary());
        return problems.hasMistakes() ? 1 : 0;
    }

    /** What is not well now is only a warning: an engine may be started later. */
    private static void connect(Element cluster, BaseDirectory directory, Problems problems, List<String> plan) {
        try (SessionCluster engine = SharedClusters.open(cluster, directory.resolve(""))) {
            List<String> found = engine.inspect(PATIENCE);
            found.forEach(sentence -> problems.warning(cluster.line(), "Cluster: " + sentence));
            plan.add("sessions in " + engine + (found.isEmpty() ? ": it answers, and is set up well" : ""));
        } catch (OperatorException e) {
            problems.error(cluster.line(), String.valueOf(e.getMessage()));
        }
    }

    /** Returns the file's directory, or the one above if it is {@code conf}. */
    private static @Nullable Path above(Path file) {
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent != null && parent.endsWith("conf") ? parent.getParent() : parent;
    }

    private static @Nullable ServerConfig read(BaseDirectory directory, @Nullable Path file, Problems problems)
            throws OperatorException {
        Path checked = file == null ? directory.serverXml() : file;
        if (file == null && Files.notExists(checked)) {
            problems.warning(0, "there is no such file; start uses its built-in configuration");
            return directory.builtIn();
        }
        return directory.read(checked, problems);
    }

    private static void describe(
            ServerConfig.Service service, BaseDirectory directory, Problems problems, List<String> plan) {
        for (ServerConfig.Connector connector : service.connectors()) {
            plan.add(Summary.of(connector));
            TlsOptions tls = connector.tls();
            if (tls != null) {
                ReloadingEngines.inspect(tls).lines().forEach(line -> plan.add("  " + line));
            }
        }
        for (ServerConfig.Host host : service.engine().hosts()) {
            host.proxies().forEach(proxy -> describe(host, proxy, problems, plan));
            DefaultDescriptors defaults =
                    DefaultDescriptors.of(host.contextFiles().webXmlDefaults());
            List<String> ofAll = defaults.defects();
            ofAll.forEach(defect -> problems.error(0, defect));
            for (PlannedDeployment deployment : deployments(host, problems)) {
                boolean isInServerXml = deployment.line() > 0;
                Problems found = isInServerXml ? problems : new Problems(origin(deployment, host, directory));
                List<String> details = new ArrayList<>();
                describe(deployment, directory, found, details);
                String defect = Preflight.defect(deployment, directory.classes(), directory.resolve(""));
                boolean starts = defect == null && ofAll.isEmpty();
                Preflight.losses(deployment, directory.classes())
                        .forEach(loss ->
                                found.error(deployment.line(), directory.nameOf(deployment.docBase()) + ": " + loss));
                if (defect != null) {
                    found.error(deployment.line(), directory.nameOf(deployment.docBase()) + ": " + defect);
                } else if (starts) {
                    starts = inspect(deployment, defaults, directory, found, details);
                }
                plan.add("host " + host.name() + ": "
                        + outcome(deployment, starts, directory.nameOf(deployment.docBase())));
                plan.addAll(details);
                if (!isInServerXml) {
                    found.inOrder().forEach(problems::add);
                }
            }
        }
    }

    /** The file or directory because of which an application without an element in server.xml is deployed. */
    private static String origin(PlannedDeployment deployment, ServerConfig.Host host, BaseDirectory directory) {
        Path own = host.contextFiles().own(deployment.name().fileName());
        return directory.nameOf(own != null && Files.exists(own) ? own : host.appBase());
    }

    private static void describe(
            PlannedDeployment deployment, BaseDirectory directory, Problems problems, List<String> plan) {
        for (Problem problem : deployment.context().problems()) {
            if (problem.severity() != Problem.Severity.ERROR) {
                problems.add(problem);
            } else { // counted once, as the application's defect
                plan.add("  " + problem);
            }
        }
        Preflight.warnings(deployment, directory)
                .forEach(warning ->
                        problems.warning(deployment.line(), directory.nameOf(deployment.docBase()) + ": " + warning));
    }

    /** An unreachable backend is only a warning: it may start later. */
    private static void describe(ServerConfig.Host host, Proxy proxy, Problems problems, List<String> plan) {
        plan.add("host " + host.name() + ": " + proxy.application().contextPath() + "/ by a proxy to");
        if (proxy.application().backends().stream()
                .anyMatch(backend -> backend.scheme().secure())) {
            plan.add("  with TLS by "
                    + Summary.implementation(
                            proxy.application().tls().settings().get(TlsOptions.IMPLEMENTATION)));
        }
        for (BackendAddress backend : proxy.application().backends()) {
            plan.add("  " + backend.text() + ": " + BackendProbe.protocol(backend));
            String defect = BackendProbe.defect(backend);
            if (defect != null) {
                problems.warning(proxy.element().line(Proxy.BACKENDS), "the backend " + backend.text() + " " + defect);
            }
        }
    }

    /**
     * Reports what would keep an application from starting, and its endpoints, without running its code.
     *
     * @return false if it would not start
     */
    private static boolean inspect(
            PlannedDeployment deployment,
            DefaultDescriptors defaults,
            BaseDirectory directory,
            Problems problems,
            List<String> plan) {
        WebApplication application = WebApplication.war(deployment.docBase())
                .contextPath(deployment.contextPath())
                .classLoader(directory.classes().shared());
        ContextApplication.reading(
                deployment.context().settings(),
                application,
                deployment.context().base(),
                defaults);
        String name = directory.nameOf(deployment.docBase());
        try {
            ContextSettings context = deployment.context().settings();
            WarInspection inspection = application.inspect(NamedResources.classes(context));
            inspection.defects().forEach(defect -> problems.error(deployment.line(), name + ": " + defect));
            inspection.misspelt().forEach(mistake -> problems.error(deployment.line(), name + ": " + mistake));
            Stream.concat(
                            inspection.warnings().stream(),
                            NamedResources.missing(context, inspection.absent(), inspection.references()).stream())
                    .forEach(warning -> problems.warning(deployment.line(), name + ": " + warning));
            inspection.endpoints().forEach(endpoint -> plan.add("  " + endpoint));
            return inspection.defects().isEmpty();
        } catch (IOException e) {
            problems.error(deployment.line(), name + ": cannot be read (" + e + ")");
            return false;
        }
    }

    private static List<PlannedDeployment> deployments(ServerConfig.Host host, Problems problems) {
        try {
            return AppBase.deployments(host);
        } catch (IOException e) {
            problems.error(
                    host.element().line(HostKind.APP_BASE),
                    "appBase " + host.appBase() + " cannot be read (" + e + ")");
            return List.of();
        }
    }

    private static String outcome(PlannedDeployment deployment, boolean starts, String file) {
        String path = deployment.contextPath() + "/" + version(deployment);
        if (deployment.superseded()) {
            return file + " is not deployed at " + path;
        }
        return starts ? path + " from " + file : path + " answers 503, because " + file + " does not start";
    }

    private static String version(PlannedDeployment deployment) {
        String version = deployment.name().version();
        return version.isEmpty() ? "" : " version " + version;
    }

    /** Checks a backend of a Proxy by connecting to it, and without TLS whether it speaks the protocol. Sends no request. */
    private static final class BackendProbe {

        /** The proxy's default. */
        private static final int TIMEOUT_MILLIS = 3000;

        private BackendProbe() {}

        /** Returns the protocol, for output. */
        static String protocol(BackendAddress backend) {
            String protocol = backend.scheme().protocol();
            return backend.scheme().secure() ? protocol + " over TLS" : protocol;
        }

        /** Returns a defect, as a predicate of a sentence; null if none is known. */
        static @Nullable String defect(BackendAddress backend) {
            SocketAddress address = backend.address();
            try {
                if (address instanceof UnixDomainSocketAddress) {
                    SocketChannel.open(address).close();
                } else if (address instanceof InetSocketAddress inet) {
                    return connect(backend, inet);
                }
                return null;
            } catch (IOException unreachable) {
                return "cannot be connected to now: " + unreachable.getMessage();
            }
        }

        private static @Nullable String connect(BackendAddress backend, InetSocketAddress inet) throws IOException {
            InetSocketAddress resolved = new InetSocketAddress(inet.getHostString(), inet.getPort());
            if (resolved.isUnresolved()) {
                throw new IOException("unknown host");
            }
            try (Socket socket = new Socket()) {
                socket.connect(resolved, TIMEOUT_MILLIS);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                return backend.scheme().secure() || isSpoken(backend, socket)
                        ? null
                        : "does not answer as " + backend.scheme().protocol()
                                + " does; is it the port of another protocol?";
            }
        }

        private static boolean isSpoken(BackendAddress backend, Socket socket) {
            try {
                return backend.isSpoken(socket.getInputStream(), socket.getOutputStream());
            } catch (IOException silentOrGone) {
                return false;
            }
        }
    }
}
