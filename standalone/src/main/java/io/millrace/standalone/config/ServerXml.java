package io.millrace.standalone.config;

import static io.millrace.standalone.config.ServerKinds.DEFAULT_HOST;
import static io.millrace.standalone.config.ServerKinds.ENGINE_NAME;
import static io.millrace.standalone.config.ServerKinds.GRACEFUL_STOP_AWAIT;
import static io.millrace.standalone.config.ServerKinds.GRACEFUL_STOP_DELAY;
import static io.millrace.standalone.config.ServerKinds.JMX;
import static io.millrace.standalone.config.ServerKinds.PORT_OFFSET;
import static io.millrace.standalone.config.ServerKinds.SERVICE_NAME;
import static io.millrace.standalone.config.ServerKinds.SHUTDOWN_PORT;

import io.millrace.servlet.settings.ContextOptions;
import io.millrace.standalone.config.connector.ConnectorChecks;
import io.millrace.standalone.config.connector.ConnectorKind;
import io.millrace.standalone.config.connector.ConnectorTls;
import io.millrace.standalone.config.connector.DefaultPort;
import io.millrace.standalone.config.connector.Protocols;
import io.millrace.standalone.config.connector.ThreadPools;
import io.millrace.standalone.config.connector.UpgradeProtocols;
import io.millrace.standalone.config.context.ContextKinds;
import io.millrace.standalone.config.proxy.Proxy;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.realm.Realms;
import io.millrace.standalone.config.resource.ResourceKinds;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.valve.AccessLogValve;
import io.millrace.standalone.config.valve.HandlerValve;
import io.millrace.standalone.config.valve.HealthCheckValve;
import io.millrace.standalone.config.valve.RewriteValve;
import io.millrace.standalone.config.valve.SessionValve;
import io.millrace.standalone.config.valve.SingleSignOnValve;
import io.millrace.standalone.config.valve.ValveKind;
import io.millrace.standalone.config.valve.Valves;
import io.millrace.standalone.config.xml.EntityReader;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.standalone.config.xml.XmlReader;
import io.millrace.text.EditDistance;
import io.millrace.text.Placeholders;
import io.millrace.text.XmlText;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a server.xml; problems are collected, not thrown. */
public final class ServerXml {

    private final Path base;
    private final Set<String> transports;
    private final Problems problems;

    /**
     * A reader for one file.
     *
     * @param base the directory to which relative paths in the file are relative
     * @param transports the names of the installed ones
     */
    public ServerXml(Path base, Set<String> transports, Problems problems) {
        this.base = base;
        this.transports = transports;
        this.problems = problems;
    }

    /**
     * The configuration, or null if there are errors.
     *
     * @throws IOException if the file cannot be read
     */
    public @Nullable ServerConfig read(Path file) throws IOException {
        String text =
                EntityReader.expand(XmlText.withoutDoctype(XmlText.of(Files.readAllBytes(file))), file, base, problems);
        return text == null ? null : parse(text);
    }

    /** As {@link #read} does, from text. */
    public @Nullable ServerConfig parse(String text) {
        Placeholders placeholders = Placeholders.ofBase(base);
        XmlElement root = XmlReader.read(text, problems, placeholders);
        if (root == null) {
            return null;
        }
        if (!root.name().equals("Server")) {
            problems.error(root.line(), "the root element is '" + root.name() + "'; expected 'Server'");
            return null;
        }
        Element server = new ElementReader(Vocabulary::of, problems).read(root);
        ServerConfig config = new ServerReader(server, base, transports, problems).server();
        return problems.hasErrors() ? null : config;
    }

    /** Converts a file that was read into records, and reports invalid combinations of elements. */
    private static final class ServerReader {

        private static final int MAX_PORT = 65_535;

        private final Element root;
        private final Path base;
        private final Set<String> transports;
        private final Problems problems;

        ServerReader(Element root, Path base, Set<String> transports, Problems problems) {
            this.root = root;
            this.base = base;
            this.transports = transports;
            this.problems = problems;
        }

        ServerConfig server() {
            if (root.get(SHUTDOWN_PORT) > 0) {
                problems.warning(
                        root.line(SHUTDOWN_PORT),
                        "port=\"" + root.get(SHUTDOWN_PORT)
                                + "\" on Server: no shutdown port is opened, because every local user could stop the server with it;"
                                + " send SIGTERM instead");
            }
            List<ServerConfig.Service> services = root.children("Service").stream()
                    .map(this::service)
                    .filter(Objects::nonNull)
                    .toList();
            if (services.isEmpty() && !problems.hasErrors()) {
                problems.error(root.line(), "Server has no Service");
            }
            Conflicts.ofPorts(services, problems);
            return new ServerConfig(services);
        }

        private ServerConfig.@Nullable Service service(Element element) {
            Map<String, Element> executors = executors(element);
            List<ServerConfig.Connector> connectors = new ArrayList<>();
            int before = problems.size();
            for (Element child : element.children("Connector")) {
                int first = problems.size();
                ServerConfig.Connector connector =
                        problems.partial(Problem.Severity.PORT, () -> connector(child, executors));
                if (connector != null && problems.firstPartial(first) == null) {
                    connectors.add(connector);
                }
            }
            if (connectors.stream().allMatch(ServerConfig.Connector::isAdmin)) {
                problems.escalatePortErrors(before);
            }
            List<Element> written = element.children("Connector");
            if (written.stream().allMatch(connector -> connector.find(ConnectorKind.ROLE) != null)) {
                problems.error(
                        element.line(),
                        "Service '" + element.get(SERVICE_NAME) + "' has no Connector"
                                + (written.isEmpty()
                                        ? ""
                                        : " for requests: one with role=\"admin\" is for administration only"));
            }
            List<Element> engines = element.children("Engine");
            if (engines.size() != 1) {
                problems.error(
                        element.line(),
                        "Service '" + element.get(SERVICE_NAME) + "' has " + engines.size()
                                + " Engine elements; expected one");
                return null;
            }
            Duration grace = Duration.ofMillis(element.get(GRACEFUL_STOP_AWAIT));
            Duration delay = Duration.ofMillis(element.get(GRACEFUL_STOP_DELAY));
            return new ServerConfig.Service(
                    element.get(SERVICE_NAME), grace, delay, connectors, engine(engines.get(0)), root.get(JMX));
        }

        private Map<String, Element> executors(Element service) {
            Map<String, Element> executors = new HashMap<>();
            for (Element element : service.children("Executor")) {
                String name = element.find(ThreadPools.NAME);
                if (name == null) {
                    problems.error(element.line(), "Executor has no name");
                } else {
                    ThreadPools.checkExecutor(element, problems);
                    executors.put(name, element);
                }
            }
            return executors;
        }

        private ServerConfig.@Nullable Connector connector(Element element, Map<String, Element> executors) {
            ((ConnectorKind) element.kind()).checkPort(element, problems);
            String executorName = element.find(ConnectorKind.EXECUTOR);
            Element executor = executorName == null ? null : executors.get(executorName);
            if (executorName != null && executor == null) {
                problems.warning(
                        element.line(ConnectorKind.EXECUTOR),
                        "executor=\"" + executorName
                                + "\" on Connector: there is no Executor of that name in this Service"
                                + EditDistance.suggestion(executorName, executors.keySet())
                                + "; the Connector gets its own threads, as in Tomcat");
            }
            String transport = Protocols.transport(element, transports, problems);
            if (transport == null) {
                return null;
            }
            ConnectorChecks.checkLinger(element, transport, problems);
            ConnectorChecks.checkPolled(element, transport, problems);
            ThreadPools.checkEffect(element, executor, transport, problems);
            boolean isPort = ConnectorChecks.isPort(element, transport, problems);
            TlsOptions tls = new ConnectorTls(element, base, problems)
                    .read(transport.equals("apr") ? aprTls() : TlsImplementation.JSSE);
            return new ServerConfig.Connector(
                    element,
                    isPort ? port(element) : 0,
                    root.get(PORT_OFFSET),
                    transport,
                    executor,
                    tls,
                    UpgradeProtocols.http2(element),
                    UpgradeProtocols.spdy(element));
        }

        /** As in Tomcat, apr uses OpenSSL for TLS, unless SSLEngine="off" on the AprLifecycleListener. */
        private TlsImplementation aprTls() {
            boolean off = root.children("Listener").stream()
                    .filter(listener ->
                            String.valueOf(listener.written("className")).endsWith(".AprLifecycleListener"))
                    .anyMatch(listener -> "off".equalsIgnoreCase(listener.written("SSLEngine")));
            return off ? TlsImplementation.JSSE : TlsImplementation.AUTO;
        }

        private int port(Element connector) {
            Integer port = connector.find(ConnectorKind.PORT);
            if (port != null) {
                return offset(port, connector);
            }
            try {
                return DefaultPort.get();
            } catch (IllegalArgumentException wrong) {
                problems.error(connector.line(), String.valueOf(wrong.getMessage()));
                return 0;
            }
        }

        /** Adds portOffset, except to port 0: that is any free port, as in Tomcat. */
        private int offset(int port, Element connector) {
            int moved = port == 0 ? 0 : port + root.get(PORT_OFFSET);
            if (moved > MAX_PORT) {
                problems.error(
                        connector.line(ConnectorKind.PORT),
                        "port=\"" + port + "\" on Connector and portOffset on Server are " + moved
                                + "; expected at most " + MAX_PORT);
                return port;
            }
            return moved;
        }

        private ServerConfig.Engine engine(Element element) {
            reportClusters(element);
            Realm realm = realm(element);
            List<ServerConfig.Host> hosts = element.children("Host").stream()
                    .map(host -> host(host, element, realm))
                    .toList();
            String defaultHost = element.get(DEFAULT_HOST);
            List<String> names = hosts.stream().map(ServerConfig.Host::name).toList();
            if (names.size() == 1 && !defaultHost.equalsIgnoreCase(names.get(0))) {
                problems.warning(
                        element.line(DEFAULT_HOST),
                        "defaultHost=\"" + defaultHost
                                + "\" on Engine: there is no Host of that name, so the only Host, " + names.get(0)
                                + ", is the default; correct it");
                defaultHost = names.get(0);
            } else if (names.stream().noneMatch(defaultHost::equalsIgnoreCase)) {
                problems.error(
                        element.line(DEFAULT_HOST),
                        "defaultHost=\"" + defaultHost + "\" on Engine: there is no Host of that name"
                                + EditDistance.suggestion(defaultHost, names));
            }
            Conflicts.ofHosts(hosts, problems);
            List<Element> valves = valves(element, hosts.stream().anyMatch(host -> host.cluster() != null));
            Element health = health(element);
            hosts.forEach(host -> Valves.checkFrontEnds(valves, host.valves(), problems));
            return new ServerConfig.Engine(
                    element.get(ENGINE_NAME),
                    defaultHost,
                    element.get(ContextOptions.JVM_ROUTE),
                    hosts,
                    AccessLogValve.enabled(element).toList(),
                    valves,
                    health == null ? null : health.get(HealthCheckValve.PATH),
                    health == null || health.get(HealthCheckValve.CHECK_CONTAINERS_AVAILABLE));
        }

        private void reportClusters(Element container) {
            container.children("Cluster").stream()
                    .filter(cluster -> cluster.kind() instanceof TomcatCluster)
                    .forEach(cluster -> TomcatCluster.report(cluster, base, problems));
        }

        private ServerConfig.Host host(Element element, Element engine, @Nullable Realm engineRealm) {
            reportClusters(element);
            List<Element> valves = new ArrayList<>(ValveKind.in(engine, HandlerValve.class));
            valves.addAll(ValveKind.in(element, HandlerValve.class));
            ContextFiles contextFiles = contextFiles(engine, element).behind(valves);
            Path appBase = base.resolve(element.get(HostKind.APP_BASE)).normalize();
            List<String> aliases =
                    element.children("Alias").stream().map(Element::text).toList();
            List<ServerConfig.Context> contexts = element.children("Context").stream()
                    .map(child -> context(child, appBase, contextFiles))
                    .toList();
            Realm realm = realm(element);
            Element cluster = cluster(element, engine);
            return new ServerConfig.Host(
                    element,
                    element.get(HostKind.NAME),
                    aliases,
                    appBase,
                    contexts,
                    Proxy.in(element, engine, base, problems),
                    AccessLogValve.enabled(element).toList(),
                    valves(element, cluster != null),
                    realm == null ? engineRealm : realm,
                    cluster,
                    contextFiles);
        }

        /** The last one of the Host, else of the Engine, that is an engine. */
        private @Nullable Element cluster(Element host, Element engine) {
            return Stream.of(engine, host)
                    .flatMap(element -> element.children("Cluster").stream())
                    .filter(cluster -> cluster.kind() instanceof ClusterKind && !TomcatCluster.isIgnored(cluster, base))
                    .reduce((first, later) -> later)
                    .orElse(null);
        }

        /** In the directory named after engine and host, as in Tomcat: conf/Catalina/localhost by default. */
        private ContextFiles contextFiles(Element engine, Element host) {
            String xmlBase = host.find(HostKind.XML_BASE);
            String directory =
                    xmlBase != null ? xmlBase : "conf/" + engine.get(ENGINE_NAME) + "/" + host.get(HostKind.NAME);
            List<Element> global = root.children("GlobalNamingResources").stream()
                    .flatMap(resources -> resources.children().stream())
                    .filter(resource -> resource.name().equals("Resource")
                            || resource.name().equals("Environment"))
                    .toList();
            return ContextFiles.of(base, base.resolve(directory).normalize(), global, host.get(HostKind.DEPLOY_XML));
        }

        private ServerConfig.Context context(Element element, Path appBase, ContextFiles files) {
            String path = element.find(ContextKinds.PATH);
            String docBase = element.find(ContextKinds.DOC_BASE);
            if (path == null && docBase == null) {
                problems.error(element.line(), "Context has neither path nor docBase");
            }
            String contextPath = path != null
                    ? contextPath(element, path)
                    : ContextName.ofFile(String.valueOf(docBase)).path();
            String fileName = docBase != null ? docBase : ContextName.baseName(contextPath);
            checkParameters(element);
            return new ServerConfig.Context(
                    element, contextPath, appBase.resolve(fileName).normalize(), files.read(element, problems));
        }

        /** Normalizes a path as Tomcat does: with a leading slash and without a trailing one. */
        private String contextPath(Element context, String path) {
            String read = path.isEmpty() || path.startsWith("/") ? path : "/" + path;
            while (read.endsWith("/")) {
                read = read.substring(0, read.length() - 1);
            }
            if (!read.equals(path)) {
                problems.warning(
                        context.line(ContextKinds.PATH),
                        "path=\"" + path + "\" on Context is read as \"" + read
                                + "\", as in Tomcat: expected \"\" for the root, or a path that begins with a slash and does not end"
                                + " with one");
            }
            return read;
        }

        private void checkParameters(Element context) {
            for (Element element : context.children("Parameter")) {
                if (element.find(ResourceKinds.NAME) == null || element.find(ResourceKinds.VALUE) == null) {
                    problems.error(element.line(), "Parameter has no name or no value; expected both");
                }
            }
        }

        /** The Valves that do something for each Host of an Engine, or for a Host. */
        private List<Element> valves(Element container, boolean hasCluster) {
            List<Element> valves = ValveKind.in(
                    container, HandlerValve.class, RewriteValve.class, SingleSignOnValve.class, SessionValve.class);
            return valves.stream()
                    .filter(valve -> hasCluster || isWithoutCluster(valve))
                    .toList();
        }

        private boolean isWithoutCluster(Element valve) {
            boolean needsIt = valve.kind() instanceof SingleSignOnValve signOn && signOn.needsCluster();
            if (needsIt) {
                problems.warning(
                        valve.line(),
                        "Valve " + valve.kind().className()
                                + " is ignored: users log in to each application separately, as"
                                + " there is no Cluster by which this server would learn of a log-out on another one; add <Cluster"
                                + " className=\"io.millrace.Redis\" uri=\"redis://HOST:6379\"/>, or use"
                                + " org.apache.catalina.authenticator.SingleSignOn for the applications of one server");
            }
            return !needsIt;
        }

        /** The health check, which is served on all hosts. */
        private static @Nullable Element health(Element engine) {
            return Stream.concat(Stream.of(engine), engine.children("Host").stream())
                    .flatMap(container -> ValveKind.in(container, HealthCheckValve.class).stream())
                    .findFirst()
                    .orElse(null);
        }

        private @Nullable Realm realm(Element container) {
            List<Element> global = root.children("GlobalNamingResources").stream()
                    .flatMap(resources -> resources.children("Resource").stream())
                    .toList();
            return Realms.in(container, global, base, problems);
        }

        /** What two elements of a file must not both have. */
        private static final class Conflicts {

            private Conflicts() {}

            /** Finds connectors that listen on the same port. */
            static void ofPorts(List<ServerConfig.Service> services, Problems problems) {
                List<ServerConfig.Connector> seen = new ArrayList<>();
                for (ServerConfig.Service service : services) {
                    for (ServerConfig.Connector connector : service.connectors()) {
                        seen.stream()
                                .filter(other -> conflict(connector, other))
                                .findFirst()
                                .ifPresent(other -> problems.error(
                                        connector.element().line(ConnectorKind.PORT),
                                        "port " + connector.port() + " is already used by the Connector in "
                                                + other.element().where()));
                        seen.add(connector);
                    }
                }
            }

            /** A connector without an address listens on all of them. */
            private static boolean conflict(ServerConfig.Connector one, ServerConfig.Connector other) {
                String first = canonical(one.address());
                String second = canonical(other.address());
                return one.port() != 0
                        && one.port() == other.port()
                        && (first == null || second == null || Objects.equals(first, second));
            }

            private static @Nullable String canonical(@Nullable String address) {
                if (address == null || address.equals("0.0.0.0") || address.equals("::")) {
                    return null;
                }
                return address.equalsIgnoreCase("localhost") ? "127.0.0.1" : address.toLowerCase(Locale.ROOT);
            }

            /** Finds duplicate host names, and duplicate context paths within a host. */
            static void ofHosts(List<ServerConfig.Host> hosts, Problems problems) {
                Map<String, ServerConfig.Host> names = new HashMap<>();
                for (ServerConfig.Host host : hosts) {
                    Stream.concat(Stream.of(host.name()), host.aliases().stream())
                            .forEach(name -> {
                                ServerConfig.Host first = names.putIfAbsent(name.toLowerCase(Locale.ROOT), host);
                                if (host.equals(first)) {
                                    problems.warning(
                                            host.element().line(),
                                            "this Host has the name '" + name + "' twice; remove one Alias");
                                } else if (first != null) {
                                    problems.error(
                                            host.element().line(),
                                            "host name '" + name + "' is already used by the Host in "
                                                    + first.element().where() + "; give each its own");
                                }
                            });
                    reportPaths(host, problems);
                }
            }

            private static void reportPaths(ServerConfig.Host host, Problems problems) {
                Map<String, String> paths = new HashMap<>();
                for (ServerConfig.Context context : host.contexts()) {
                    String first =
                            paths.putIfAbsent(context.path(), context.element().where());
                    if (first != null) {
                        problems.error(
                                context.element().line(ContextKinds.PATH),
                                "context path \"" + context.path() + "\" is already used by the Context in " + first
                                        + "; give each its own");
                    }
                }
            }
        }
    }
}
