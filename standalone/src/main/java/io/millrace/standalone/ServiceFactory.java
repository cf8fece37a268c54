package io.millrace.standalone;

import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH;

import io.millrace.Application;
import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.VirtualHost;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.AccessLog;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.Timers;
import io.millrace.jmx.JmxDomain;
import io.millrace.metrics.Metrics;
import io.millrace.protocol.Protocol;
import io.millrace.rewrite.RewriteRules;
import io.millrace.servlet.deploy.DefaultDescriptors;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.LockOut;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.settings.Settings;
import io.millrace.standalone.admin.Administration;
import io.millrace.standalone.base.Writable;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.HostKind;
import io.millrace.standalone.config.RulesKind;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.connector.Protocols;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.realm.RealmKind;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.AccessLogValve;
import io.millrace.standalone.config.valve.HandlerValve;
import io.millrace.standalone.config.valve.RewriteValve;
import io.millrace.standalone.config.valve.SessionValve;
import io.millrace.standalone.config.valve.SingleSignOnValve;
import io.millrace.standalone.config.valve.ValveKind;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.log.StandaloneLog;
import io.millrace.tls.TlsOptions;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates one server from each Service element; its connectors serve its own hosts only. */
final class ServiceFactory {

    private final BaseDirectory base;
    private final Timers timers;
    private final SharedResources shared;
    private final SharedLogins logins;
    private final Metrics metrics = new Metrics();
    private final Map<Element, UnaryOperator<HttpHandler>> wrappers = new HashMap<>();

    /** @param shared by the applications of all services */
    ServiceFactory(BaseDirectory base, Timers timers, SharedResources shared) {
        this.shared = shared;
        this.base = base;
        this.logins = new SharedLogins(shared);
        this.timers = timers;
    }

    /** What is counted in the servers of all services. */
    Metrics metrics() {
        return metrics;
    }

    Launcher.Plan plan(ServerConfig.Service service) throws OperatorException {
        ServerBuilder server = Server.builder()
                .defaultHost(service.engine().defaultHost())
                .timers(timers)
                .metrics(metrics);
        String healthPath = service.engine().healthPath();
        if (healthPath != null) {
            server.health(healthPath).healthOfApplications(service.engine().healthOfApplications());
        }
        server.drainDelay(service.drainDelay());
        WorkerPools pools = new WorkerPools(timers);
        JmxDomain jmx = new JmxDomain(service.engine().name());
        if (service.jmx()) {
            jmx.show();
        }
        RunningServer running = new RunningServer(base.resolve(""), VersionCommand.millraceVersion(), jmx);
        for (ServerConfig.Connector connector : service.serving()) {
            Connector made = ConnectorFactory.connector(connector, pools.of(connector), base.resolve(""));
            running.add(made, pools.of(connector));
            server.connector(made);
        }
        // tasks that applications start themselves belong to no connector: the first one's pool runs them
        server.workers(pools.of(service.serving().get(0)));
        List<Launcher.Site> sites = new ArrayList<>();
        boolean isEmpty = true;
        for (ServerConfig.Host host : service.engine().hosts()) {
            Applications factory = new Applications(options(host, service));
            Launcher.Site site = site(host, service, factory, running);
            String named = service.engine().hosts().size() == 1 ? "" : host.name();
            server.unavailable(() -> factory.failures(named));
            isEmpty &= host.proxies().isEmpty() && deployments(host).isEmpty();
            server.virtualHost(site.host());
            boolean isDefault = host.name().equalsIgnoreCase(service.engine().defaultHost());
            sites.add(isDefault ? 0 : sites.size(), site);
        }
        if (isEmpty) {
            server.unavailable(() -> absentAppBases(service.engine().hosts()));
        }
        for (Element log : service.engine().accessLogs()) {
            add(log, server::accessLog);
        }
        return new Launcher.Plan(server, sites, service.grace(), service.drainDelay(), pools, running);
    }

    /** Of a server with nothing to serve: a volume may not have been mounted. */
    private static List<String> absentAppBases(List<ServerConfig.Host> hosts) {
        return hosts.stream()
                .filter(host -> Files.notExists(host.appBase()))
                .map(host -> "appBase of " + host.name())
                .toList();
    }

    /** The admin port of a service; null if it has none. */
    AdminDoors.@Nullable Port adminPort(ServerConfig.Service service) throws OperatorException {
        for (ServerConfig.Connector connector : service.administrative()) {
            return new AdminDoors.Port(
                    ConnectorFactory.connector(connector, null, base.resolve("")),
                    administrators(service),
                    AdminDoors.allowed(connector));
        }
        return null;
    }

    /** Reads the users again that Realms keep in memory; a line for each file. */
    List<String> reloadUsers() {
        return logins.stores.values().stream()
                .flatMap(users -> users.reload().stream())
                .toList();
    }

    /**
     * Those whom the Realm of the default host knows; null without a Realm. Their passwords cannot be guessed at without end, even if
     * the Realm is no LockOutRealm.
     */
    @Nullable
    IdentityStore administrators(ServerConfig.Service service) throws OperatorException {
        for (ServerConfig.Host host : service.engine().hosts()) {
            if (host.name().equalsIgnoreCase(service.engine().defaultHost())) {
                Realm realm = host.realm();
                IdentityStore users = logins.users(realm, sharing(host, service), container(host, service));
                return realm == null || users == null || RealmKind.locksOut(realm) ? users : LockOut.around(users);
            }
        }
        return null;
    }

    private static String container(ServerConfig.Host host, ServerConfig.Service service) {
        return container(service) + ".[" + host.name().toLowerCase(Locale.ROOT) + "]";
    }

    private static String container(ServerConfig.Service service) {
        return "[" + service.engine().name() + "]";
    }

    /** Null if the host's applications share no sessions. */
    private SharedClusters.@Nullable Sharing sharing(ServerConfig.Host host, ServerConfig.Service service)
            throws OperatorException {
        Element cluster = host.cluster();
        if (cluster == null) {
            return null;
        }
        boolean isOwn = host.element().children(cluster.name()).contains(cluster);
        String container = isOwn ? container(host, service) : container(service);
        return shared.cluster(cluster, container, base.resolve(""), timers);
    }

    private Launcher.Site site(
            ServerConfig.Host host, ServerConfig.Service service, Applications factory, RunningServer server)
            throws OperatorException {
        VirtualHost virtual = VirtualHost.named(host.name(), host.aliases().toArray(String[]::new));
        List<PlannedDeployment> deployments = deployments(host);
        List<Application> applications = factory.of(deployments);
        List<Application> all = new ArrayList<>(applications);
        host.proxies().forEach(proxy -> all.add(proxy.application()));
        all.forEach(virtual::application);
        virtual.listApplications(host.element().get(HostKind.LIST_APPLICATIONS));
        for (Element valve : service.engine().valves()) {
            guard(valve, host, virtual);
        }
        for (Element valve : host.valves()) {
            guard(valve, host, virtual);
        }
        for (Element rules : host.element().children(RulesKind.NAME)) {
            IdentityStore users = logins.users(host.realm(), sharing(host, service), container(host, service));
            virtual.before(RuleFiles.of(rules, base.resolve(""), users)::before);
        }
        for (Element log : host.accessLogs()) {
            add(log, virtual::accessLog);
        }
        HostDeployments running = new HostDeployments(host, factory, service.grace(), deployments, applications);
        Path uploads = base.work().resolve("upload");
        Administration administration = new HostAdministration(host, running, factory, uploads, server);
        factory.administeredBy(administration);
        HostScans scans = new HostScans(host, running, factory, timers, server.jmx());
        return new Launcher.Site(virtual, all, scans, administration);
    }

    /** Adds a Valve's handler after the access logs and the choice of the host, as in Tomcat. */
    private void guard(Element valve, ServerConfig.Host config, VirtualHost host) throws OperatorException {
        if (valve.kind() instanceof RewriteValve) {
            RewriteRules rules = HostFiles.rules(valve, config, base);
            if (rules != null) {
                host.rewrite(rules);
            }
        } else if (valve.kind() instanceof HandlerValve handler) { // others are applied to applications
            // one for all hosts of an Engine; Preflight has reported unreadable files
            host.before(
                    wrappers.computeIfAbsent(valve, made -> handler.handler(made, base.resolve(""), warning -> {})));
        }
    }

    private ApplicationOptions options(ServerConfig.Host host, ServerConfig.Service service) throws OperatorException {
        String container = container(host, service);
        SharedClusters.Sharing cluster = sharing(host, service);
        IdentityStore users = logins.users(host.realm(), cluster, container);
        return new ApplicationOptions(
                work(host),
                users,
                service.engine().jvmRoute(),
                DefaultDescriptors.of(host.contextFiles().webXmlDefaults()),
                shared,
                base.classes(),
                container,
                base.resolve(""),
                logins.signOn(service.engine().valves(), host.valves(), users, cluster, container),
                Stream.concat(service.engine().valves().stream(), host.valves().stream())
                        .filter(valve -> valve.kind() instanceof SessionValve)
                        .toList(),
                cluster);
    }

    /** The directory below which its applications have their work directories; null for temporary ones. */
    private @Nullable Path work(ServerConfig.Host host) {
        String own = Objects.requireNonNullElse(host.element().find(HostKind.WORK_DIR), "");
        Path work = own.isBlank() ? base.work().resolve(host.name()) : base.resolve(own);
        String defect = Writable.defect(work);
        if (defect != null) {
            StandaloneLog.SERVER.workNotWritable(work.toString(), defect);
        }
        return defect == null ? work : null;
    }

    private static List<PlannedDeployment> deployments(ServerConfig.Host host) throws OperatorException {
        try {
            return AppBase.deployments(host);
        } catch (IOException e) {
            throw new OperatorException("appBase " + host.appBase() + " cannot be read (" + e + ")");
        }
    }

    /** Adds an access log; without one that cannot be opened, the server serves all the same. */
    private void add(Element valve, Consumer<AccessLog> to) {
        Path root = base.resolve("");
        String defect = AccessLogValve.defect(valve, root);
        try {
            if (defect == null) {
                to.accept(AccessLogValve.builder(valve, root).open());
            }
        } catch (IOException | IllegalArgumentException e) {
            defect = e.toString();
        }
        if (defect != null) {
            StandaloneLog.SERVER.accessLogNotWritten(valve.where(), defect);
        }
    }

    /** Creates connectors from server.xml. */
    private static final class ConnectorFactory {

        private ConnectorFactory() {}

        /** @param workers null for those of the server */
        static Connector connector(ServerConfig.Connector config, @Nullable Workers workers, Path base) {
            Settings settings = config.settings();
            ConnectorBuilder builder = Connector.builder()
                    .transport(config.transport())
                    .port(config.port())
                    .settings(settings)
                    .summary(Summary.what(config));
            if (workers != null) {
                builder.workers(workers);
            }
            String scheme = config.tls() == null ? settings.get(ConnectorOptions.SCHEME) : "https";
            if (config.isAjp()) {
                builder.protocol(Protocols.provider("ajp").create(scheme, settings));
            }
            if (config.http2() != null || !config.spdy().isEmpty()) {
                builder.protocols(protocols(config, scheme));
            }
            Path socket = settings.find(UNIX_DOMAIN_SOCKET_PATH);
            if (socket != null) {
                builder.with(UNIX_DOMAIN_SOCKET_PATH, base.resolve(socket));
            }
            String address = config.address();
            if (address != null) {
                builder.address(address);
            }
            TlsOptions tls = config.tls();
            if (tls != null) {
                builder.tls(tls);
            }
            return builder.build();
        }

        /** The protocols of a connector with HTTP/2 or SPDY, the most preferred first. */
        private static List<Protocol> protocols(ServerConfig.Connector config, String scheme) {
            List<Protocol> protocols = new ArrayList<>();
            Element http2 = config.http2();
            if (http2 != null) {
                protocols.add(Protocols.provider("http2")
                        .create(scheme, config.settings().overriddenBy(http2.settings())));
            }
            for (Element spdy : config.spdy()) {
                protocols.add(Protocols.provider("spdy")
                        .create(scheme, config.settings().overriddenBy(spdy.settings())));
            }
            if (!config.isSpdy()) {
                protocols.add(new Http1Protocol(config.settings(), scheme));
            }
            return protocols;
        }
    }

    /** The identity stores and single sign-ons of a server's hosts: those of the Engine have one instance for all hosts that use them. */
    private static final class SharedLogins {

        private final SharedResources shared;
        private final Map<Realm, IdentityStore> stores = new HashMap<>();
        private final Map<SignOnPlace, Map<IdentityStore, SingleSignOn>> signOns = new HashMap<>();

        private record SignOnPlace(Element valve, SharedClusters.@Nullable Sharing cluster) {}

        /** @param shared provides the pools, drivers and login modules of Realms */
        SharedLogins(SharedResources shared) {
            this.shared = shared;
        }

        /**
         * Null without a Realm.
         *
         * @param cluster of the host; null if it has none
         * @param container its name
         */
        @Nullable
        IdentityStore users(@Nullable Realm realm, SharedClusters.@Nullable Sharing cluster, String container)
                throws OperatorException {
            if (realm == null) {
                return null;
            }
            IdentityStore known = stores.get(realm);
            if (known == null) {
                known = RealmKind.store(realm, cluster == null ? shared : shared.with(cluster, container));
                stores.put(realm, known);
            }
            return known;
        }

        /**
         * Returns the Host's, or else the Engine's; null without either.
         *
         * @param cluster of the host, whose servers share the logins; null if it has none
         * @param container its name
         */
        @Nullable
        SingleSignOn signOn(
                List<Element> ofEngine,
                List<Element> ofHost,
                @Nullable IdentityStore users,
                SharedClusters.@Nullable Sharing cluster,
                String container) {
            Element own = ValveKind.last(SingleSignOnValve.class, ofHost);
            Element used = own == null ? ValveKind.last(SingleSignOnValve.class, ofEngine) : own;
            if (used == null
                    || cluster == null && used.kind() instanceof SingleSignOnValve valve && valve.needsCluster()) {
                return null;
            }
            SingleSignOn.Options options = SingleSignOnValve.options(used);
            IdentityStore any = IdentityStore.NONE;
            Map<IdentityStore, SingleSignOn> byUsers = signOns.computeIfAbsent(
                    new SignOnPlace(used, cluster),
                    place -> new HashMap<>(Map.of(
                            any, cluster == null ? new SingleSignOn(any, options) : cluster.signOn(any, options))));
            SingleSignOn all = Objects.requireNonNull(byUsers.get(any));
            boolean isForAll = users == null || options.requireReauthentication();
            return isForAll ? all : byUsers.computeIfAbsent(users, others -> all.withUsers(others, container));
        }
    }
}
