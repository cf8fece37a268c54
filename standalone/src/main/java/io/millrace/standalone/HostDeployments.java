package io.millrace.standalone;

import io.millrace.standalone.log.StandaloneLog;
import io.millrace.Application;
import io.millrace.Server;
import io.millrace.io.Timers;
import io.millrace.jmx.JmxDomain;
import io.millrace.metrics.Durations;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.session.Sessions;
import io.millrace.standalone.admin.Administration;
import io.millrace.standalone.admin.ServerAdministration;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.HostKind;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.deploy.Stamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The deployments of a host, and their changes while the server runs, one at a time: those that operators ask for, and, with
 * {@code autoDeploy}, those that periodic scans of appBase find. A scan deploys new applications, redeploys changed ones and undeploys
 * deleted ones; a change takes effect once two consecutive scans find the same state, so that a file is not deployed while it is being
 * copied.
 */
final class HostDeployments implements Watch, Administration {

    /** Tomcat's default. */
    private static final int EVERY_SECONDS = 10;

    /**
     * The deployment of one name.
     *
     * @param application null if it could not be deployed, or was stopped
     * @param since when that became so, as by {@link System#nanoTime}
     */
    private record Known(
            PlannedDeployment deployment,
            Stamp stamp,
            @Nullable Application application,
            long since) {

        Known(PlannedDeployment deployment, Stamp stamp, @Nullable Application application) {
            this(deployment, stamp, application, System.nanoTime());
        }
    }

    private final ServerConfig.Host host;
    private final Applications factory;
    private final Duration grace;
    /** Changed with the lock held. Concurrent, so that it can be looked at while an application takes its time to start. */
    private final Map<ContextName, Known> known = new ConcurrentHashMap<>();

    /** Changes that one scan has found. */
    private final Map<ContextName, Stamp> pending = new HashMap<>();
    /** Old versions that were undeployed. Files of theirs that could not be deleted are not deployed again. */
    private final Map<ContextName, Stamp> retired = new HashMap<>();

    private final Timers timers;
    private final Path uploads;
    private final ServerAdministration administration;
    private final JmxDomain jmx;
    private final DeployerBean deployer = new DeployerBean();
    private volatile JmxDomain.@Nullable Offer offered;
    private final ReentrantLock changing = new ReentrantLock();
    private final Reloads reloads;
    private volatile @Nullable PeriodicTask scans;

    private volatile @Nullable Server server;
    private volatile boolean closed;

    /**
     * @param applications created from the deployments
     * @param uploads a directory for files that are being received
     * @param administration of the server
     * @param jmx its MBeans
     */
    HostDeployments(
            ServerConfig.Host host,
            Applications factory,
            Duration grace,
            List<PlannedDeployment> deployments,
            List<Application> applications,
            Timers timers,
            Path uploads,
            ServerAdministration administration,
            JmxDomain jmx) {
        this.jmx = jmx;
        this.uploads = uploads;
        this.administration = administration;
        this.host = host;
        this.timers = timers;
        this.factory = factory;
        this.grace = grace;
        reloads = factory.reloads();
        for (PlannedDeployment deployment : deployments) {
            known.putIfAbsent(
                    deployment.name(), new Known(deployment, stamp(deployment), at(deployment.name(), applications)));
            reloads.serves(deployment);
        }
    }

    private Stamp stamp(PlannedDeployment deployment) {
        return Stamp.of(
                deployment.docBase(),
                host.contextFiles().own(deployment.name().fileName()),
                deployment.context().settings().watchedResources());
    }

    private static @Nullable Application at(ContextName name, List<Application> applications) {
        return applications.stream()
                .filter(application -> application.contextPath().equals(name.path())
                        && application.version().equals(name.version()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public void start(Server started) {
        server = started;
        offered = jmx.offer(() -> List.of(deployer.of(host.name(), new ByJmx())));
        reloads.start(() -> begin(() -> reloadChanged(started), Reloads.PERIOD)::stop);
        if (!host.element().get(HostKind.AUTO_DEPLOY)) {
            return;
        }
        int configured = host.element().get(HostKind.BACKGROUND_PROCESSOR_DELAY);
        Duration delay = Duration.ofSeconds(configured > 0 ? configured : EVERY_SECONDS);
        scans = begin(() -> scanOnce(started), delay);
    }

    private PeriodicTask begin(Runnable scan, Duration pause) {
        PeriodicTask task = new PeriodicTask(
                scan,
                pause,
                timers,
                HostDeployments::thread,
                reason -> StandaloneLog.SERVER.noThreadForScan(host.appBase().toString(), reason));
        task.begin();
        return task;
    }

    private void reloadChanged(Server on) {
        changing.lock();
        try {
            for (Reloads.Changed each : closed ? List.<Reloads.Changed>of() : reloads.look()) {
                Known before = known.get(each.name());
                if (before != null && before.application != null && !deployer.isServiced(each.name())) {
                    reload(on, before, each);
                }
            }
        } catch (RuntimeException | Error e) {
            StandaloneLog.SERVER.autoDeployFailed(host.appBase().toString(), e);
        } finally {
            changing.unlock();
        }
    }

    private void reload(Server on, Known before, Reloads.Changed changed) {
        String name = changed.name().display();
        try {
            String unloadable = changed.defect(factory.parentLoader());
            String defect = unloadable == null ? factory.unreadable(before.deployment) : unloadable;
            if (defect == null) {
                StandaloneLog.SERVER.reloading(name, changed.files());
                deploy(on, before.deployment, before.stamp, before.application, Reloads.GRACE);
            } else {
                StandaloneLog.SERVER.notReloaded(name, defect);
                reloads.failed(changed, defect);
            }
        } catch (IOException changing) {
            // the next look finds it again
        } catch (RuntimeException | Error e) {
            StandaloneLog.SERVER.autoDeployFailed(host.appBase().toString(), e);
            reloads.failed(changed, e.toString());
        }
    }

    private static Thread thread(Runnable scan) {
        Thread thread = new Thread(scan, "millrace-autodeploy");
        thread.setDaemon(true);
        return thread;
    }

    private void scanOnce(Server on) {
        changing.lock();
        try {
            if (!closed) {
                scan(on);
            }
        } finally {
            changing.unlock();
        }
    }

    /** Waits at most the grace period for a running scan. */
    @Override
    public void close() {
        closed = true;
        JmxDomain.Offer bean = offered;
        if (bean != null) {
            bean.close();
        }
        reloads.stop();
        PeriodicTask task = scans;
        if (task != null) {
            task.stop();
        }
        try {
            if (changing.tryLock(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                changing.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void scan(Server on) {
        try {
            Set<ContextName> present = new HashSet<>();
            for (PlannedDeployment found : AppBase.deployments(host)) {
                if (present.add(found.name()) && !deployer.isServiced(found.name())) {
                    consider(on, found);
                }
            }
            for (ContextName name : List.copyOf(known.keySet())) {
                if (!present.contains(name) && !deployer.isServiced(name)) {
                    undeploy(on, name);
                }
            }
            retired.keySet().retainAll(present);
            if (host.element().get(HostKind.UNDEPLOY_OLD_VERSIONS)) {
                retireUnused(on);
            }
        } catch (IOException e) {
            StandaloneLog.SERVER.appBaseUnreadable(host.appBase().toString(), e.toString());
        } catch (RuntimeException | Error e) {
            StandaloneLog.SERVER.autoDeployFailed(host.appBase().toString(), e);
        }
    }

    private void consider(Server on, PlannedDeployment found) {
        ContextName name = found.name();
        Stamp stamp = stamp(found);
        Known before = known.get(name);
        if (before != null && before.stamp.equals(stamp) || stamp.equals(retired.get(name))) {
            pending.remove(name);
        } else if (stamp.equals(pending.put(name, stamp))) {
            pending.remove(name);
            deploy(on, found, stamp, before == null ? null : before.application);
        }
    }

    /**
     * @param running the application to replace; null if there is none
     * @return why it did not start; null if it did
     */
    private @Nullable String deploy(Server on, PlannedDeployment found, Stamp stamp, @Nullable Application running) {
        return deploy(on, found, stamp, running, grace);
    }

    private @Nullable String deploy(
            Server on, PlannedDeployment found, Stamp stamp, @Nullable Application running, Duration longest) {
        reloads.serves(found);
        String name = found.docBase().toString();
        String defect = factory.defect(found);
        if (defect != null) {
            StandaloneLog.SERVER.notDeployed(name, defect);
            if (running == null) {
                factory.failed(found);
            }
            boolean shows = running == null && !found.superseded();
            known.put(found.name(), new Known(found, stamp, shows ? placeholder(on, found.name()) : running));
            return defect;
        }
        Application next = null;
        String failure = null;
        try {
            next = factory.application(found);
            if (running == null) {
                on.deploy(host.name(), next);
            } else {
                on.replace(running, next, longest);
            }
            factory.notFailed(found.name());
            StandaloneLog.SERVER.deployed(name, found.name().display());
        } catch (Exception | LinkageError e) {
            StandaloneLog.SERVER.deploymentFailed(name, found.name().display(), e);
            failure = reason(e);
            factory.failed(found);
            if (running == null) {
                next = placeholder(on, found.name());
            }
        }
        known.put(found.name(), new Known(found, stamp, next == null ? running : next));
        return failure;
    }

    /** The message of what an exception was caused by at first. */
    private static String reason(Throwable failure) {
        Throwable first = failure;
        for (int i = 0; i < 10 && first.getCause() != null; i++) {
            first = first.getCause();
        }
        return first.getMessage() == null ? first.toString() : first.getMessage();
    }

    /** Deploys a placeholder that responds with 503; returns null if the context path is in use. */
    private @Nullable Application placeholder(Server on, ContextName name) {
        boolean taken = known.values().stream()
                .anyMatch(each -> each.application != null
                        && each.deployment.name().path().equals(name.path()));
        if (taken) {
            return null;
        }
        FailedApplication placeholder = new FailedApplication(name.path(), name.version());
        try {
            on.deploy(host.name(), placeholder);
            return placeholder;
        } catch (Exception e) {
            return null; // the server is stopping, or the path is taken
        }
    }

    /** Applications that server.xml names are never retired. */
    private void retireUnused(Server on) {
        Map<WebApplication, Known> running = new HashMap<>();
        for (Known each : known.values()) {
            if (each.application instanceof WebApplication application && each.deployment.line() == 0) {
                running.put(application, each);
            }
        }
        for (WebApplication old : OldVersions.unused(running.keySet())) {
            Known gone = Objects.requireNonNull(running.get(old));
            ContextName name = gone.deployment.name();
            known.remove(name);
            reloads.forget(name);
            retired.put(name, gone.stamp);
            on.undeploy(old, grace);
            factory.deleteWork(gone.deployment);
            StandaloneLog.SERVER.oldVersionUndeployed(gone.deployment.docBase().toString(), name.display());
            new OldVersions(host)
                    .delete(
                            gone.deployment,
                            known.values().stream().map(Known::deployment).toList());
        }
    }

    private void undeploy(Server on, ContextName name) {
        Known gone = known.remove(name);
        pending.remove(name);
        reloads.forget(name);
        factory.notFailed(name);
        if (gone != null && gone.application != null) {
            on.undeploy(gone.application, grace);
            factory.deleteWork(gone.deployment);
            StandaloneLog.SERVER.undeployed(gone.deployment.docBase().toString(), name.display());
        }
    }

    // ---- what operators ask for

    @Override
    public ServerAdministration server() {
        return administration;
    }

    @Override
    public String host() {
        return host.name();
    }

    @Override
    public Path appBase() {
        return host.appBase();
    }

    @Override
    public List<Listed> list() {
        return known.values().stream()
                .sorted(Comparator.comparing(
                                (Known each) -> each.deployment.name().path())
                        .thenComparing(each -> each.deployment.name().version()))
                .map(this::listed)
                .toList();
    }

    @Override
    public Set<String> paths() {
        return known.keySet().stream().map(ContextName::path).collect(Collectors.toSet());
    }

    private Listed listed(Known each) {
        Sessions sessions = each.application instanceof WebApplication web ? web.sessionsIfStarted() : null;
        Path docBase = each.deployment.docBase();
        ContextName name = each.deployment.name();
        return new Listed(
                name,
                sessions != null,
                sessions == null ? 0 : sessions.count(),
                host.appBase().equals(docBase.getParent()) ? name.fileName() : docBase.toString(),
                sessions != null && each.application instanceof WebApplication web ? displayName(web) : "",
                load(each),
                sessions != null && each.application instanceof WebApplication web ? web : null);
    }

    private Load load(Known each) {
        Server running = server;
        Duration since = Duration.ofNanos(System.nanoTime() - each.since);
        Durations durations = running == null || each.application == null ? null : running.durations(each.application);
        return durations == null
                ? new Load(0, Duration.ZERO, Duration.ZERO, since)
                : new Load(durations.count(), durations.quantile(0.5), durations.quantile(0.99), since);
    }

    @Override
    public List<String> unavailable() {
        List<String> names = new ArrayList<>(factory.failures(""));
        Server running = server;
        if (running != null) {
            running.failures()
                    .keySet()
                    .forEach(application ->
                            names.add(new ContextName(application.contextPath(), application.version()).marked()));
        }
        return names.stream().distinct().sorted().toList();
    }

    @Override
    public List<String> failingStores() {
        List<String> failing = new ArrayList<>();
        for (Known each : known.values()) {
            Sessions sessions = each.application instanceof WebApplication web ? web.sessionsIfStarted() : null;
            String store = sessions == null ? null : sessions.failingStore();
            if (store != null) {
                failing.add(each.deployment.name().display() + ": its sessions are in " + store
                        + ", which does not answer");
            }
        }
        return failing;
    }

    private static String displayName(WebApplication application) {
        ServletContext context = application.contextIfStarted();
        String name = context == null ? null : context.getServletContextName();
        return name == null ? "" : name.strip();
    }

    @Override
    public Path upload() throws IOException {
        Files.createDirectories(uploads);
        return uploads.resolve(UUID.randomUUID() + ".part");
    }

    @Override
    public Path tagged(String tag, ContextName name) {
        return uploads.resolve("tagged").resolve(tag).resolve(name.fileName() + ".war");
    }

    /** A change, made with the lock held. */
    private interface Change<T> {
        @Nullable
        T on(Server running) throws Refusal, IOException;
    }

    private <T> @Nullable T change(Change<T> change) throws Refusal {
        changing.lock();
        try {
            Server running = server;
            if (closed || running == null || !running.isRunning()) {
                throw new Refusal(Refusal.Reason.OTHER, "the server is starting or stopping");
            }
            return change.on(running);
        } catch (IOException e) {
            throw new Refusal(Refusal.Reason.OTHER, e.toString());
        } finally {
            changing.unlock();
        }
    }

    private Known find(ContextName name) throws Refusal {
        Known found = known.get(name);
        if (found == null) {
            throw new Refusal(Refusal.Reason.NO_CONTEXT);
        }
        return found;
    }

    private static void requireOwnFiles(Known each) throws Refusal {
        if (each.deployment.line() > 0) {
            throw new Refusal(Refusal.Reason.IN_SERVER_XML);
        }
    }

    @Override
    public @Nullable String deploy(ContextName name, Source source, boolean update) throws Refusal {
        return change(on -> {
            Known before = known.get(name);
            if (before != null && !update) {
                throw new Refusal(Refusal.Reason.EXISTS);
            }
            if (before != null) {
                requireOwnFiles(before);
            }
            try (Replacement files = new Replacement(host, name)) {
                check(name, source);
                files.put(source);
                PlannedDeployment found = planned(name);
                String failure = deploy(on, found, stamp(found), before == null ? null : before.application);
                if (failure == null || before == null) {
                    files.keep();
                    return failure;
                }
                Application failed = Objects.requireNonNull(known.get(name)).application;
                files.restore();
                PlannedDeployment old = planned(name);
                if (before.application != null) {
                    deploy(on, old, stamp(old), failed);
                } else { // it had been stopped
                    if (failed != null) {
                        on.undeploy(failed, grace);
                    }
                    known.put(name, new Known(old, stamp(old), null));
                }
                return failure;
            }
        });
    }

    /** Reads an application as its start will do, before anything is changed. */
    private void check(ContextName name, Source source) throws Refusal {
        Path war = source.war();
        if (war == null) {
            return;
        }
        String defect = factory.unreadable(PlannedDeployment.at(name, war, host.contextFiles()));
        if (defect != null) {
            throw new Refusal(Refusal.Reason.OTHER, defect);
        }
    }

    /** The deployment of a name by its files as they are now. */
    private PlannedDeployment planned(ContextName name) throws Refusal, IOException {
        for (PlannedDeployment found : AppBase.deployments(host)) {
            if (found.name().equals(name)) {
                if (found.superseded()) {
                    throw new Refusal(Refusal.Reason.OTHER, String.valueOf(found.defect()));
                }
                retired.remove(name);
                pending.remove(name);
                return found;
            }
        }
        throw new Refusal(Refusal.Reason.OTHER, "deployIgnore on Host excludes " + name.fileName());
    }

    @Override
    public void undeploy(ContextName name, @Nullable Duration longest) throws Refusal {
        change(on -> {
            Known gone = find(name);
            requireOwnFiles(gone);
            known.remove(name);
            pending.remove(name);
            reloads.forget(name);
            retired.put(name, gone.stamp);
            factory.notFailed(name);
            if (gone.application != null) {
                on.undeploy(gone.application, longest == null ? grace : longest);
            }
            factory.deleteWork(gone.deployment);
            new OldVersions(host)
                    .delete(
                            gone.deployment,
                            known.values().stream().map(Known::deployment).toList());
            return true;
        });
    }

    @Override
    public @Nullable String start(ContextName name) throws Refusal {
        return change(on -> {
            Known each = find(name);
            return listed(each).running() ? null : deploy(on, each.deployment, each.stamp, each.application);
        });
    }

    @Override
    public void stop(ContextName name) throws Refusal {
        change(on -> {
            Known each = find(name);
            if (each.application != null) {
                on.undeploy(each.application, grace);
                known.put(name, new Known(each.deployment, each.stamp, null));
            }
            factory.notFailed(name); // nobody expects it to run
            return true;
        });
    }

    @Override
    public @Nullable String reload(ContextName name) throws Refusal {
        return change(on -> {
            Known each = find(name);
            PlannedDeployment now = each.deployment.line() > 0 ? each.deployment : planned(name);
            return deploy(on, now, stamp(now), each.application);
        });
    }

    private @Nullable Sessions sessionsOf(ContextName name) throws Refusal {
        changing.lock();
        try {
            return find(name).application instanceof WebApplication web ? web.sessionsIfStarted() : null;
        } finally {
            changing.unlock();
        }
    }

    @Override
    public Idle sessions(ContextName name) throws Refusal {
        Sessions sessions = sessionsOf(name);
        return sessions == null ? new Idle(0, List.of()) : new Idle(sessions.timeoutMinutes(), sessions.idleMillis());
    }

    @Override
    public int expire(ContextName name, int minutes) throws Refusal {
        Sessions sessions = sessionsOf(name);
        return sessions == null ? 0 : sessions.expire(TimeUnit.MINUTES.toMillis(minutes));
    }

    @Override
    public List<String> leaks() {
        return factory.leaks();
    }

    @Override
    public Map<String, String> resources() {
        changing.lock();
        try {
            return known.values().stream()
                    .findFirst()
                    .map(each -> each.deployment.context().settings().globalTypes())
                    .orElse(Map.of());
        } finally {
            changing.unlock();
        }
    }

    /** What the MBean of the host does. */
    private final class ByJmx implements DeployerBean.Deployments {

        @Override
        public boolean isDeployed(ContextName name) {
            Known each = known.get(name);
            return each != null && each.application != null;
        }

        @Override
        public void check(ContextName name) throws Refusal {
            change(on -> {
                PlannedDeployment found = null;
                for (PlannedDeployment each : AppBase.deployments(host)) {
                    found = found == null && each.name().equals(name) ? each : found;
                }
                Known before = known.get(name);
                if (found == null) {
                    if (before != null) {
                        undeploy(on, name);
                    }
                } else if (before == null || !before.stamp.equals(stamp(found))) {
                    pending.remove(name);
                    deploy(on, found, stamp(found), before == null ? null : before.application);
                }
                return true;
            });
        }
    }

    /**
     * Finds versions of a host's applications that a later one has superseded and that have no sessions left, and deletes their
     * files: Tomcat's {@code undeployOldVersions}.
     */
    private static final class OldVersions {

        private final Path appBase;
        private final ServerConfig.Host host;

        OldVersions(ServerConfig.Host host) {
            this.host = host;
            appBase = host.appBase();
        }

        /** Returns those without sessions, including stored ones, for which a later version is started. */
        static List<WebApplication> unused(Collection<WebApplication> applications) {
            return applications.stream()
                    .filter(old -> applications.stream().anyMatch(later -> supersedes(later, old)))
                    .filter(WebApplication::isUnused)
                    .toList();
        }

        private static boolean supersedes(WebApplication later, WebApplication old) {
            return later.contextPath().equals(old.contextPath())
                    && later.version().compareTo(old.version()) > 0
                    && later.contextIfStarted() != null;
        }

        /**
         * Deletes the files that would deploy it again: its file in conf/Catalina, and in the appBase its WAR and the directory of
         * the same name. Files elsewhere are kept, as are targets of symbolic links and files that another version uses.
         *
         * @param others the other deployments of the host
         */
        void delete(PlannedDeployment deployment, Collection<PlannedDeployment> others) {
            ContextName name = deployment.name();
            Path own = host.contextFiles().own(name.fileName());
            if (own != null) {
                delete(own);
            }
            boolean shared = others.stream().anyMatch(other -> other.docBase().equals(deployment.docBase()));
            if (!shared && appBase.equals(deployment.docBase().getParent())) {
                delete(appBase.resolve(name.fileName() + ".war"));
                delete(appBase.resolve(name.fileName()));
                delete(deployment.docBase()); // shop##1.WAR
            }
        }

        private static void delete(Path place) {
            if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException | UncheckedIOException e) {
                StandaloneLog.SERVER.oldVersionNotDeleted(place.toString(), e.toString());
            }
        }
    }
}
