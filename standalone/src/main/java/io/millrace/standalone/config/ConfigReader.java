package io.millrace.standalone.config;

import io.millrace.text.EditDistance;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts a validated file into records, and reports invalid combinations of elements. */
final class ConfigReader {

    private static final int MAX_PORT = 65_535;

    private final ConfigElement root;
    private final Path base;
    private final Set<String> transports;
    private final Problems problems;

    ConfigReader(ConfigElement root, Path base, Set<String> transports, Problems problems) {
        this.root = root;
        this.base = base;
        this.transports = transports;
        this.problems = problems;
    }

    ServerConfig server() {
        Values server = values(root);
        if (server.number("port") > 0) {
            problems.warning(
                    server.line("port"),
                    "port=\"" + server.number("port")
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
        PortConflicts.report(services, problems);
        return new ServerConfig(services);
    }

    private ServerConfig.@Nullable Service service(ConfigElement element) {
        Values values = values(element);
        Map<String, Values> executors = executors(element);
        List<ServerConfig.Connector> connectors = new ArrayList<>();
        int before = problems.size();
        for (ConfigElement child : element.children("Connector")) {
            ServerConfig.Connector connector = problems.asPortErrors(() -> connector(child, executors));
            if (connector != null) {
                connectors.add(connector);
            }
        }
        if (connectors.isEmpty()) {
            problems.escalatePortErrors(before);
        }
        if (element.children("Connector").isEmpty()) {
            problems.error(element.line(), "Service '" + values.text("name") + "' has no Connector");
        }
        List<ConfigElement> engines = element.children("Engine");
        if (engines.size() != 1) {
            problems.error(
                    element.line(),
                    "Service '" + values.text("name") + "' has " + engines.size() + " Engine elements; expected one");
            return null;
        }
        Duration grace = values.duration("gracefulStopAwaitMillis");
        Duration delay = values.duration("gracefulStopDelayMillis");
        return new ServerConfig.Service(values.text("name", ""), grace, delay, connectors, engine(engines.get(0)));
    }

    private Map<String, Values> executors(ConfigElement service) {
        Map<String, Values> executors = new HashMap<>();
        for (ConfigElement element : service.children("Executor")) {
            String name = element.value("name");
            if (name == null) {
                problems.error(element.line(), "Executor has no name");
            } else {
                Values executor = values(element);
                ThreadPools.checkExecutor(executor, problems);
                executors.put(name, executor);
            }
        }
        return executors;
    }

    private ServerConfig.@Nullable Connector connector(ConfigElement element, Map<String, Values> executors) {
        Values values = values(element);
        FrontEndVocabulary.checkProxyProtocol(values, problems);
        String executorName = values.text("executor");
        Values executor = executorName == null ? null : executors.get(executorName);
        if (executorName != null && executor == null) {
            problems.warning(
                    values.line("executor"),
                    "executor=\"" + executorName + "\" on Connector: there is no Executor of that name in this Service"
                            + EditDistance.suggestion(executorName, executors.keySet())
                            + "; the Connector gets its own threads, as in Tomcat");
        }
        ThreadPools.checkConnector(values, problems);
        if (Protocols.isAjp(values.text("protocol"))) {
            AjpVocabulary.check(values, problems);
        }
        SpdyVocabulary.check(values, problems);
        String transport = Protocols.transport(values, transports, problems);
        if (transport == null) {
            return null;
        }
        Linger.check(values, transport, problems);
        ThreadPools.checkEffect(values, executor, transport, problems);
        boolean isPort = OtherSockets.isPort(values, transport, problems);
        TlsOptions tls = new ServerXmlTlsReader(element, values, base, problems)
                .read(transport.equals("apr") ? aprTls() : TlsImplementation.JSSE);
        return new ServerConfig.Connector(
                values,
                isPort ? port(values) : 0,
                values(root).number("portOffset"),
                transport,
                executor,
                tls,
                Http2Vocabulary.in(element),
                SpdyVocabulary.in(element, values));
    }

    /** As in Tomcat, apr uses OpenSSL for TLS, unless SSLEngine="off" on the AprLifecycleListener. */
    private TlsImplementation aprTls() {
        boolean off = root.children("Listener").stream()
                .filter(listener -> String.valueOf(listener.value("className")).endsWith(".AprLifecycleListener"))
                .anyMatch(listener -> "off".equalsIgnoreCase(listener.value("SSLEngine")));
        return off ? TlsImplementation.JSSE : TlsImplementation.AUTO;
    }

    private int port(Values values) {
        if (values.text("port") != null) {
            return offset(values);
        }
        try {
            return DefaultPort.get();
        } catch (IllegalArgumentException wrong) {
            problems.error(values.line(), String.valueOf(wrong.getMessage()));
            return 0;
        }
    }

    /** Adds portOffset, except to port 0: that is any free port, as in Tomcat. */
    private int offset(Values connector) {
        int port = connector.number("port");
        int moved = port == 0 ? 0 : port + values(root).number("portOffset");
        if (moved > MAX_PORT) {
            problems.error(
                    connector.line("port"),
                    "port=\"" + port + "\" on Connector and portOffset on Server are " + moved + "; expected at most "
                            + MAX_PORT);
            return port;
        }
        return moved;
    }

    private ServerConfig.Engine engine(ConfigElement element) {
        Values values = values(element);
        RealmConfig realm = realms().in(element);
        List<ServerConfig.Host> hosts = element.children("Host").stream()
                .map(host -> host(host, element, realm))
                .toList();
        String defaultHost = values.text("defaultHost", "localhost");
        List<String> names = hosts.stream().map(ServerConfig.Host::name).toList();
        if (names.size() == 1 && !defaultHost.equalsIgnoreCase(names.get(0))) {
            problems.warning(
                    values.line("defaultHost"),
                    "defaultHost=\"" + defaultHost + "\" on Engine: there is no Host of that name, so the only Host, "
                            + names.get(0) + ", is the default; correct it");
            defaultHost = names.get(0);
        } else if (names.stream().noneMatch(defaultHost::equalsIgnoreCase)) {
            problems.error(
                    values.line("defaultHost"),
                    "defaultHost=\"" + defaultHost + "\" on Engine: there is no Host of that name"
                            + EditDistance.suggestion(defaultHost, names));
        }
        HostNames.report(hosts, problems);
        List<Values> valves = valves(element);
        Values health = health(element);
        hosts.forEach(host -> FrontEndVocabulary.checkOneKind(valves, host.valves(), problems));
        return new ServerConfig.Engine(
                values.text("name", "Catalina"),
                defaultHost,
                values.text("jvmRoute", ""),
                hosts,
                accessLogs(element),
                valves,
                health == null ? null : health.text("path"),
                health == null || health.flag("checkContainersAvailable"));
    }

    private ServerConfig.Host host(ConfigElement element, ConfigElement engine, @Nullable RealmConfig engineRealm) {
        Values values = values(element);
        List<Values> relays = new ArrayList<>(FrontEndVocabulary.relays(engine));
        relays.addAll(FrontEndVocabulary.relays(element));
        ContextFiles contextFiles = contextFiles(values(engine), values).behind(relays);
        Path appBase = base.resolve(values.text("appBase", "webapps")).normalize();
        List<String> aliases =
                element.children("Alias").stream().map(ConfigElement::text).toList();
        List<ServerConfig.Context> contexts = element.children("Context").stream()
                .map(child -> context(child, appBase, contextFiles))
                .toList();
        RealmConfig realm = realms().in(element);
        return new ServerConfig.Host(
                values,
                values.text("name", "localhost"),
                aliases,
                appBase,
                contexts,
                ProxyVocabulary.in(element, engine, base, problems),
                accessLogs(element),
                valves(element),
                realm == null ? engineRealm : realm,
                contextFiles);
    }

    /** In the directory named after engine and host, as in Tomcat: conf/Catalina/localhost by default. */
    private ContextFiles contextFiles(Values engine, Values host) {
        String xmlBase = host.text("xmlBase");
        String directory = xmlBase != null
                ? xmlBase
                : "conf/" + engine.text("name", "Catalina") + "/" + host.text("name", "localhost");
        List<ConfigElement> global = root.children("GlobalNamingResources").stream()
                .flatMap(resources -> resources.children().stream())
                .filter(resource ->
                        resource.name().equals("Resource") || resource.name().equals("Environment"))
                .toList();
        return ContextFiles.of(base, base.resolve(directory).normalize(), global, host.flag("deployXML"));
    }

    private ServerConfig.Context context(ConfigElement element, Path appBase, ContextFiles files) {
        Values values = values(element);
        String path = values.text("path");
        String docBase = values.text("docBase");
        if (path == null && docBase == null) {
            problems.error(element.line(), "Context has neither path nor docBase");
        }
        String contextPath = path != null
                ? contextPath(values, path)
                : ContextName.ofFile(String.valueOf(docBase)).path();
        String fileName = docBase != null ? docBase : ContextName.baseName(contextPath);
        checkParameters(element);
        return new ServerConfig.Context(
                values, contextPath, appBase.resolve(fileName).normalize(), files.read(element, problems));
    }

    /** Normalizes a path as Tomcat does: with a leading slash and without a trailing one. */
    private String contextPath(Values context, String path) {
        String read = path.isEmpty() || path.startsWith("/") ? path : "/" + path;
        while (read.endsWith("/")) {
            read = read.substring(0, read.length() - 1);
        }
        if (!read.equals(path)) {
            problems.warning(
                    context.line("path"),
                    "path=\"" + path + "\" on Context is read as \"" + read
                            + "\", as in Tomcat: expected \"\" for the root, or a path that begins with a slash and does not end"
                            + " with one");
        }
        return read;
    }

    private void checkParameters(ConfigElement context) {
        for (ConfigElement element : context.children("Parameter")) {
            if (element.value("name") == null || element.value("value") == null) {
                problems.error(element.line(), "Parameter has no name or no value; expected both");
            }
        }
    }

    private List<Values> accessLogs(ConfigElement container) {
        return container.children("Valve").stream()
                .filter(AccessLogValves::isOne)
                .map(this::values)
                .filter(valve -> valve.flag("enabled"))
                .toList();
    }

    private List<Values> valves(ConfigElement container) {
        return container.children("Valve").stream()
                .filter(valve ->
                        HandlerValves.of(valve) != null && !RewriteValves.isInEngine(container, valve, problems)
                                || SingleSignOnValves.of(valve) != null
                                || SessionValves.of(valve) != null)
                .map(this::values)
                .toList();
    }

    /** The health check, which is served on all hosts. */
    private @Nullable Values health(ConfigElement engine) {
        return Stream.concat(Stream.of(engine), engine.children("Host").stream())
                .flatMap(container -> container.children("Valve").stream())
                .filter(Vocabulary::isHealthCheck)
                .map(this::values)
                .findFirst()
                .orElse(null);
    }

    private RealmReader realms() {
        List<ConfigElement> global = root.children("GlobalNamingResources").stream()
                .flatMap(resources -> resources.children("Resource").stream())
                .toList();
        return new RealmReader(global, base, problems);
    }

    private Values values(ConfigElement element) {
        ElementRule rule = Vocabulary.of(element);
        if (rule == null) {
            throw new IllegalStateException("no rule for " + element.name());
        }
        return new Values(element, rule);
    }
}
