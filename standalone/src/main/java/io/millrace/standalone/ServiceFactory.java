package io.millrace.standalone;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.VirtualHost;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.AccessLog;
import io.millrace.io.Timers;
import io.millrace.rewrite.RewriteRules;
import io.millrace.servlet.deploy.DefaultDescriptors;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.AccessLogValves;
import io.millrace.standalone.config.RewriteValves;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.SessionValves;
import io.millrace.standalone.config.Values;
import io.millrace.standalone.config.Writable;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.standalone.deploy.PlannedDeployment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    private final Map<Values, UnaryOperator<HttpHandler>> wrappers = new HashMap<>();

    /** @param shared by the applications of all services */
    ServiceFactory(BaseDirectory base, Timers timers, SharedResources shared) {
        this.shared = shared;
        this.base = base;
        this.logins = new SharedLogins(shared);
        this.timers = timers;
    }

    Launcher.Plan plan(ServerConfig.Service service) throws OperatorException {
        ServerBuilder server =
                Server.builder().defaultHost(service.engine().defaultHost()).timers(timers);
        String healthPath = service.engine().healthPath();
        if (healthPath != null) {
            server.health(healthPath).healthOfApplications(service.engine().healthOfApplications());
        }
        server.drainDelay(service.drainDelay());
        WorkerPools pools = new WorkerPools(timers);
        for (ServerConfig.Connector connector : service.connectors()) {
            server.connector(ConnectorFactory.connector(connector, pools, base.resolve("")));
        }
        // tasks that applications start themselves belong to no connector: the first one's pool runs them
        server.workers(pools.of(service.connectors().get(0)));
        List<Launcher.Site> sites = new ArrayList<>();
        for (ServerConfig.Host host : service.engine().hosts()) {
            Applications factory = new Applications(options(host, service));
            Launcher.Site site = site(host, service, factory);
            String named = service.engine().hosts().size() == 1 ? "" : host.name();
            server.unavailable(() -> factory.failures(named));
            server.virtualHost(site.host());
            boolean isDefault = host.name().equalsIgnoreCase(service.engine().defaultHost());
            sites.add(isDefault ? 0 : sites.size(), site);
        }
        for (Values log : service.engine().accessLogs()) {
            add(log, server::accessLog);
        }
        return new Launcher.Plan(server, sites, service.grace(), pools);
    }

    private Launcher.Site site(ServerConfig.Host host, ServerConfig.Service service, Applications factory)
            throws OperatorException {
        VirtualHost virtual = VirtualHost.named(host.name(), host.aliases().toArray(String[]::new));
        List<PlannedDeployment> deployments = deployments(host);
        List<Application> applications = factory.of(deployments);
        List<Application> all = new ArrayList<>(applications);
        host.proxies().forEach(proxy -> all.add(proxy.application()));
        all.forEach(virtual::application);
        virtual.listApplications(host.values().flag("listApplications"));
        for (Values valve : service.engine().valves()) {
            guard(valve, host, virtual);
        }
        for (Values valve : host.valves()) {
            guard(valve, host, virtual);
        }
        for (Values log : host.accessLogs()) {
            add(log, virtual::accessLog);
        }
        Watch watch = host.values().flag("autoDeploy")
                ? new HostDeployments(host, factory, service.grace(), deployments, applications, timers)
                : Watch.NONE;
        return new Launcher.Site(virtual, all, watch);
    }

    /** Adds a Valve's handler after the access logs and the choice of the host, as in Tomcat. */
    private void guard(Values valve, ServerConfig.Host config, VirtualHost host) throws OperatorException {
        if (!ValveHandlers.isOne(valve)) {
            return; // applied to applications
        }
        if (RewriteValves.isOne(valve)) {
            RewriteRules rules = new RewriteFactory(base.classes().server())
                    .ofHost(valve, config, base.work().resolve(config.name()));
            if (rules != null) {
                host.rewrite(rules);
            }
        } else {
            // one for all hosts of an Engine; Preflight has reported unreadable files
            ValveHandlers handlers = new ValveHandlers(base.resolve(""), warning -> {});
            host.before(wrappers.computeIfAbsent(valve, handlers::of));
        }
    }

    private ApplicationOptions options(ServerConfig.Host host, ServerConfig.Service service) throws OperatorException {
        IdentityStore users = logins.users(host.realm());
        return new ApplicationOptions(
                work(host),
                users,
                service.engine().jvmRoute(),
                DefaultDescriptors.of(host.contextFiles().webXmlDefaults()),
                shared,
                base.classes(),
                "[" + service.engine().name() + "].[" + host.name().toLowerCase(Locale.ROOT) + "]",
                base.resolve(""),
                logins.signOn(service.engine().valves(), host.valves(), users),
                Stream.concat(service.engine().valves().stream(), host.valves().stream())
                        .filter(SessionValves::isOne)
                        .toList());
    }

    /** The directory below which its applications have their work directories; null for temporary ones. */
    private @Nullable Path work(ServerConfig.Host host) {
        String own = host.values().text("workDir", "");
        Path work = own.isBlank() ? base.work().resolve(host.name()) : base.resolve(own);
        String defect = Writable.defect(work);
        if (defect != null) {
            Messages.LOG.workNotWritable(work.toString(), defect);
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
    private void add(Values valve, Consumer<AccessLog> to) {
        Path root = base.resolve("");
        String defect = AccessLogValves.defect(valve, root);
        try {
            if (defect == null) {
                to.accept(AccessLogValves.builder(valve, root).open());
            }
        } catch (IOException | IllegalArgumentException e) {
            defect = e.toString();
        }
        if (defect != null) {
            Messages.LOG.accessLogNotWritten(valve.where(), defect);
        }
    }
}
