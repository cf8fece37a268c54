package io.millrace.standalone;

import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH;

import io.millrace.servlet.identity.IdentityStore;
import io.millrace.standalone.base.ServerClasses;
import io.millrace.standalone.base.Writable;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ClusterKind;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.HostKind;
import io.millrace.standalone.config.RulesKind;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.connector.ConnectorKind;
import io.millrace.standalone.config.context.ContextKinds;
import io.millrace.standalone.config.proxy.BackendTls;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.realm.RealmKind;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.AccessLogValve;
import io.millrace.standalone.config.valve.HandlerValve;
import io.millrace.standalone.config.valve.RewriteValve;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.deploy.EditedCopy;
import io.millrace.standalone.deploy.PlannedDeployment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks what may keep a server from starting although its configuration is valid: files, drivers, addresses. Both start and
 * check run it before anything is opened, so that they reject the same configurations.
 */
final class Preflight {

    private final BaseDirectory base;
    private final Problems problems;

    Preflight(BaseDirectory base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

    void check(ServerConfig config) {
        String unwritable = Writable.defect(base.work());
        boolean used = config.services().stream()
                .flatMap(service -> service.engine().hosts().stream())
                .map(host -> host.element().find(HostKind.WORK_DIR))
                .anyMatch(own -> own == null || own.isBlank());
        if (unwritable != null && used) {
            problems.warning(
                    0,
                    "the work directory " + unwritable + ", so temporary directories are used: no session survives a"
                            + " restart, and each start unpacks WARs and compiles JSP pages anew; make it writable, or set"
                            + " workDir on Host");
        }
        AdminDoors.check(config, problems);
        for (ServerConfig.Service service : config.services()) {
            service.connectors().forEach(this::connector);
            Stream<Element> logs = Stream.concat(
                    service.engine().accessLogs().stream(),
                    service.engine().hosts().stream().flatMap(host -> host.accessLogs().stream()));
            logs.forEach(this::accessLog);
            service.engine().hosts().forEach(this::appBase);
            service.engine().hosts().forEach(this::rewrite);
            service.engine().hosts().forEach(this::rules);
            service.engine().valves().forEach(this::handler);
            service.engine().hosts().stream()
                    .flatMap(host -> host.valves().stream())
                    .forEach(this::handler);
            service.engine().hosts().stream()
                    .flatMap(host -> host.proxies().stream())
                    .forEach(proxy -> BackendTls.check(proxy.element(), base.resolve(""), problems));
            service.engine().hosts().stream()
                    .map(ServerConfig.Host::cluster)
                    .distinct()
                    .forEach(cluster -> cluster(cluster, service.engine()));
            service.engine().hosts().stream()
                    .map(ServerConfig.Host::realm)
                    .distinct()
                    .forEach(this::realm);
        }
    }

    /** Returns why an application cannot be deployed; null if no reason is known. Others are not affected. */
    static @Nullable String defect(PlannedDeployment deployment, ServerClasses classes, Path base) {
        if (deployment.defect() != null) {
            return deployment.defect();
        }
        try {
            for (Element valve : deployment.context().settings().valves()) {
                if (valve.kind() instanceof RewriteValve) {
                    RewriteValve.ofContext(valve, deployment.docBase(), classes.server());
                }
            }
            for (Element rules : deployment.context().settings().rules()) {
                RuleFiles.of(rules, base, IdentityStore.NONE); // whether there are users is known at the start
            }
            return deployment
                    .context()
                    .settings()
                    .extraResourcesDefect(deployment.context().base());
        } catch (OperatorException e) {
            return e.getMessage();
        }
    }

    /** Returns what costs an application its logins or the store of its sessions, but not its start. */
    static List<String> losses(PlannedDeployment deployment, ServerClasses classes) {
        List<String> found = new ArrayList<>();
        Realm realm = deployment.context().realm();
        if (realm != null && realm.defect() == null) { // else it is one of the problems
            String defect = RealmKind.defect(realm, new SharedResources(classes.server())); // it makes none of them yet
            if (defect != null) {
                found.add(defect + "; nobody can log in by this Realm");
            }
        }
        SessionDatabase sessions = SessionDatabase.of(deployment.context().settings());
        String defect = sessions == null ? null : sessions.defect(classes.server());
        if (defect != null) {
            found.add(defect + "; no session can be stored");
        }
        return found;
    }

    private void connector(ServerConfig.Connector connector) {
        try {
            InstalledTransports.describe(connector.transport());
        } catch (IllegalStateException cannotWork) {
            problems.error(connector.element().line(ConnectorKind.PROTOCOL), String.valueOf(cannotWork.getMessage()));
        }
        socketFile(connector);
        String address = connector.address();
        if (address != null) {
            try {
                InetAddress.getByName(address);
            } catch (UnknownHostException e) {
                problems.error(
                        connector.element().line(ConnectorKind.ADDRESS),
                        "address=\"" + address + "\" on Connector: unknown host");
            }
        }
    }

    /** Reports what would keep the socket's file from being created. */
    private void socketFile(ServerConfig.Connector connector) {
        Path written = connector.settings().find(UNIX_DOMAIN_SOCKET_PATH);
        if (written == null) {
            return;
        }
        Path file = base.resolve("").resolve(written);
        boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        boolean isOrdinary = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
                || Files.isSymbolicLink(file);
        String defect = null;
        if (isThere && isOrdinary) {
            defect = "a file of that name exists and is not a socket";
        } else if (file.getParent() == null || !Files.isDirectory(file.getParent())) {
            defect = "there is no directory " + file.getParent();
        }
        if (defect != null) {
            problems.error(
                    connector.element().line(UNIX_DOMAIN_SOCKET_PATH),
                    UNIX_DOMAIN_SOCKET_PATH + "=\"" + written + "\" on Connector: " + defect);
        }
    }

    private void handler(Element valve) {
        if (valve.kind() instanceof HandlerValve handler) {
            handler.handler(valve, base.resolve(""), warning -> problems.warning(valve.line(), warning));
        }
    }

    /** Returns what has no effect in the Context of an application. */
    static List<String> warnings(PlannedDeployment deployment, BaseDirectory base) {
        List<String> found = new ArrayList<>();
        ClassLoader classes = base.classes().server();
        for (Element valve : deployment.context().settings().valves()) {
            try {
                if (valve.kind() instanceof HandlerValve handler) {
                    handler.handler(valve, base.resolve(""), found::add);
                } else if (valve.get(RewriteValve.ENABLED)
                        && RewriteValve.ofContext(valve, deployment.docBase(), classes) == null) {
                    found.add(RewriteValve.withoutRules(valve));
                }
            } catch (OperatorException e) {
                return List.of(); // a defect
            }
        }
        found.addAll(notices(deployment));
        return found;
    }

    /** Returns what an application lacks because of its files and its Context, but is deployed without. */
    static List<String> notices(PlannedDeployment deployment) {
        List<String> found = new ArrayList<>();
        Problems logs = new Problems("its Context");
        deployment
                .context()
                .settings()
                .accessLogs()
                .forEach(valve ->
                        AccessLogValve.check(valve, deployment.context().base(), logs));
        logs.inOrder().forEach(problem -> found.add(problem.text()));
        found.addAll(RealmKind.notices(deployment.context().realm()));
        found.addAll(deployment.context().deadLinks());
        String edited = EditedCopy.warning(deployment.docBase());
        if (edited != null) {
            found.add(edited);
        }
        return found;
    }

    private void appBase(ServerConfig.Host host) {
        for (ServerConfig.Context context : host.contexts()) {
            String own = ContextName.ofFile(context.docBase().toString()).path();
            if (host.appBase().equals(context.docBase().getParent())
                    && host.element().get(HostKind.DEPLOY_ON_STARTUP)
                    && !own.equals(context.path())) {
                problems.warning(
                        context.element().line(ContextKinds.DOC_BASE),
                        base.nameOf(context.docBase()) + " is deployed as \"" + context.path()
                                + "\" only; Tomcat would also deploy it as \"" + own + "\", because it is in appBase");
            }
        }
        if (Files.notExists(host.appBase())
                && host.contexts().isEmpty()
                && host.proxies().isEmpty()) {
            problems.warning(
                    host.element().line(HostKind.APP_BASE),
                    "appBase " + base.nameOf(host.appBase()) + " on Host: there is no such directory");
        }
    }

    private void rewrite(ServerConfig.Host host) {
        for (Element valve : host.valves()) {
            if (valve.kind() instanceof RewriteValve) {
                rewrite(valve, host);
            }
        }
    }

    /** Whoever could log in: users are not needed to read the rules. */
    private void rules(ServerConfig.Host host) {
        for (Element rules : host.element().children(RulesKind.NAME)) {
            try {
                RuleFiles.of(rules, base.resolve(""), host.realm() == null ? null : IdentityStore.NONE);
            } catch (OperatorException e) {
                problems.error(rules.line(RulesKind.FILE), String.valueOf(e.getMessage()));
            }
        }
    }

    private void rewrite(Element valve, ServerConfig.Host host) {
        try {
            if (HostFiles.rules(valve, host, base) == null && valve.get(RewriteValve.ENABLED)) {
                problems.warning(
                        valve.line(),
                        "the RewriteValve has no rules: there is no "
                                + host.contextFiles().ofHost(valve.get(RewriteValve.RESOURCE_PATH)));
            }
        } catch (OperatorException e) {
            problems.error(valve.line(), String.valueOf(e.getMessage()));
        }
    }

    private void accessLog(Element valve) {
        AccessLogValve.check(valve, base.resolve(""), problems);
    }

    private void cluster(@Nullable Element cluster, ServerConfig.Engine engine) {
        if (cluster != null
                && ClusterKind.isSticky(cluster)
                && engine.jvmRoute().isEmpty()) {
            problems.error(
                    cluster.line("mode"),
                    "Cluster with mode=\"sticky\" needs a jvmRoute, by which the load balancer sends a session to its server;"
                            + " write <Engine name=\"" + engine.name()
                            + "\" jvmRoute=\"node1\"> with another name on each server");
        }
        String defect = cluster == null ? null : SharedClusters.defect(cluster, base.resolve(""));
        if (cluster != null && defect != null) {
            problems.error(cluster.line(ClusterKind.URI), defect);
        }
    }

    private void realm(@Nullable Realm realm) {
        if (realm == null) {
            return;
        }
        try {
            RealmKind.store(realm, new SharedResources(base.classes().server())); // of which it makes none yet
            RealmKind.notices(realm)
                    .forEach(warning -> problems.warning(realm.element().line(), warning));
        } catch (OperatorException e) {
            problems.error(realm.element().line(), String.valueOf(e.getMessage()));
        }
        RealmKind.drivers(realm).forEach(driver -> driver(driver, realm));
    }

    /** Warns of a missing driver, without which every login would fail. */
    private void driver(String driver, Realm realm) {
        try {
            Class.forName(driver, false, base.classes().server());
        } catch (ClassNotFoundException | LinkageError e) {
            problems.warning(
                    realm.element().line(),
                    "the driver " + driver
                            + " of the Realm is not installed, so nobody can log in: put its jar into lib");
        }
    }
}
