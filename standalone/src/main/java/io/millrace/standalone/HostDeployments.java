package io.millrace.standalone;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.io.Timers;
import io.millrace.servlet.WebApplication;
import io.millrace.standalone.config.ContextName;
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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Scans a host's appBase periodically, one scan at a time: deploys new applications, redeploys changed ones and undeploys
 * deleted ones. A change takes effect once two consecutive scans find the same state, so that a file is not deployed while it is being copied.
 */
final class HostDeployments implements Watch {

    /** Tomcat's default. */
    private static final int EVERY_SECONDS = 10;

    /**
     * The deployment of one name.
     *
     * @param application null if it could not be deployed
     */
    private record Known(
            PlannedDeployment deployment,
            Stamp stamp,
            @Nullable Application application) {}

    private final ServerConfig.Host host;
    private final Applications factory;
    private final Duration grace;
    private final Map<ContextName, Known> known = new HashMap<>();
    /** Changes that one scan has found. */
    private final Map<ContextName, Stamp> pending = new HashMap<>();
    /** Old versions that were undeployed. Files of theirs that could not be deleted are not deployed again. */
    private final Map<ContextName, Stamp> retired = new HashMap<>();

    private final Timers timers;
    private final ReentrantLock scanning = new ReentrantLock();
    private volatile @Nullable PeriodicTask scans;
    private volatile boolean closed;

    /** @param applications created from the deployments */
    HostDeployments(
            ServerConfig.Host host,
            Applications factory,
            Duration grace,
            List<PlannedDeployment> deployments,
            List<Application> applications,
            Timers timers) {
        this.host = host;
        this.timers = timers;
        this.factory = factory;
        this.grace = grace;
        for (PlannedDeployment deployment : deployments) {
            known.putIfAbsent(
                    deployment.name(), new Known(deployment, stamp(deployment), at(deployment.name(), applications)));
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
    public void start(Server server) {
        int configured = host.values().number("backgroundProcessorDelay");
        Duration delay = Duration.ofSeconds(configured > 0 ? configured : EVERY_SECONDS);
        PeriodicTask task = new PeriodicTask(
                () -> scanOnce(server),
                delay,
                timers,
                HostDeployments::thread,
                reason -> Messages.LOG.noThreadForScan(host.appBase().toString(), reason));
        scans = task;
        task.begin();
    }

    private static Thread thread(Runnable scan) {
        Thread thread = new Thread(scan, "millrace-autodeploy");
        thread.setDaemon(true);
        return thread;
    }

    private void scanOnce(Server server) {
        scanning.lock();
        try {
            if (!closed) {
                scan(server);
            }
        } finally {
            scanning.unlock();
        }
    }

    /** Waits at most the grace period for a running scan. */
    @Override
    public void close() {
        closed = true;
        PeriodicTask task = scans;
        if (task != null) {
            task.stop();
        }
        try {
            if (scanning.tryLock(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                scanning.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void scan(Server server) {
        try {
            Set<ContextName> present = new HashSet<>();
            for (PlannedDeployment found : AppBase.deployments(host)) {
                if (present.add(found.name())) {
                    consider(server, found);
                }
            }
            for (ContextName name : List.copyOf(known.keySet())) {
                if (!present.contains(name)) {
                    undeploy(server, name);
                }
            }
            retired.keySet().retainAll(present);
            if (host.values().flag("undeployOldVersions")) {
                retireUnused(server);
            }
        } catch (IOException e) {
            Messages.LOG.appBaseUnreadable(host.appBase().toString(), e.toString());
        } catch (RuntimeException | Error e) {
            Messages.LOG.autoDeployFailed(host.appBase().toString(), e);
        }
    }

    private void consider(Server server, PlannedDeployment found) {
        ContextName name = found.name();
        Stamp stamp = stamp(found);
        Known before = known.get(name);
        if (before != null && before.stamp.equals(stamp) || stamp.equals(retired.get(name))) {
            pending.remove(name);
        } else if (stamp.equals(pending.put(name, stamp))) {
            pending.remove(name);
            deploy(server, found, stamp, before == null ? null : before.application);
        }
    }

    /** @param running the application to replace; null if there is none */
    private void deploy(Server server, PlannedDeployment found, Stamp stamp, @Nullable Application running) {
        String name = found.docBase().toString();
        String defect = factory.defect(found);
        if (defect != null) {
            Messages.LOG.notDeployed(name, defect);
            if (running == null) {
                factory.failed(found);
            }
            boolean shows = running == null && !found.superseded();
            known.put(found.name(), new Known(found, stamp, shows ? placeholder(server, found.name()) : running));
            return;
        }
        Application next = null;
        try {
            next = factory.application(found);
            if (running == null) {
                server.deploy(host.name(), next);
            } else {
                server.replace(running, next, grace);
            }
            factory.notFailed(found.name());
            Messages.LOG.deployed(name, found.name().display());
        } catch (Exception | LinkageError e) {
            Messages.LOG.deploymentFailed(name, found.name().display(), e);
            factory.failed(found);
            if (running == null) {
                next = placeholder(server, found.name());
            }
        }
        known.put(found.name(), new Known(found, stamp, next == null ? running : next));
    }

    /** Deploys a placeholder that responds with 503; returns null if the context path is in use. */
    private @Nullable Application placeholder(Server server, ContextName name) {
        boolean taken = known.values().stream()
                .anyMatch(each -> each.application != null
                        && each.deployment.name().path().equals(name.path()));
        if (taken) {
            return null;
        }
        FailedApplication placeholder = new FailedApplication(name.path(), name.version());
        try {
            server.deploy(host.name(), placeholder);
            return placeholder;
        } catch (Exception e) {
            return null; // the server is stopping, or the path is taken
        }
    }

    /** Applications that server.xml names are never retired. */
    private void retireUnused(Server server) {
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
            retired.put(name, gone.stamp);
            server.undeploy(old, grace);
            factory.deleteWork(gone.deployment);
            Messages.LOG.oldVersionUndeployed(gone.deployment.docBase().toString(), name.display());
            new OldVersions(host)
                    .delete(
                            gone.deployment,
                            known.values().stream().map(Known::deployment).toList());
        }
    }

    private void undeploy(Server server, ContextName name) {
        Known gone = known.remove(name);
        pending.remove(name);
        factory.notFailed(name);
        if (gone != null && gone.application != null) {
            server.undeploy(gone.application, grace);
            factory.deleteWork(gone.deployment);
            Messages.LOG.undeployed(gone.deployment.docBase().toString(), name.display());
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
                Messages.LOG.oldVersionNotDeleted(place.toString(), e.toString());
            }
        }
    }
}
