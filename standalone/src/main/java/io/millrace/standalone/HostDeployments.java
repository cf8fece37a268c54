package io.millrace.standalone;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.standalone.admin.Administration.Refusal;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.deploy.Stamp;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deployments of a host, and their changes while the server runs, one at a time: those that operators ask for ({@link
 * HostAdministration}) and those that scans find ({@link HostScans}).
 */
final class HostDeployments {

    /**
     * The deployment of one name.
     *
     * @param application null if it could not be deployed, or was stopped
     * @param since when that became so, as by {@link System#nanoTime}
     */
    record Known(
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
    private final Reloads reloads;
    /** Changed with the lock held. Concurrent, so that it can be looked at while an application takes its time to start. */
    private final Map<ContextName, Known> known = new ConcurrentHashMap<>();

    /** Changes that one scan has found. */
    private final Map<ContextName, Stamp> pending = new HashMap<>();
    /** Old versions that were undeployed. Files of theirs that could not be deleted are not deployed again. */
    private final Map<ContextName, Stamp> retired = new HashMap<>();

    private final ReentrantLock changing = new ReentrantLock();
    private volatile @Nullable Server server;
    private volatile boolean closed;

    /** @param applications created from the deployments */
    HostDeployments(
            ServerConfig.Host host,
            Applications factory,
            Duration grace,
            List<PlannedDeployment> deployments,
            List<Application> applications) {
        this.host = host;
        this.factory = factory;
        this.grace = grace;
        reloads = factory.reloads();
        for (PlannedDeployment deployment : deployments) {
            known.putIfAbsent(
                    deployment.name(), new Known(deployment, stamp(deployment), at(deployment.name(), applications)));
            reloads.serves(deployment);
        }
    }

    /** The state of the files of a deployment. */
    Stamp stamp(PlannedDeployment deployment) {
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

    /** The server has started. */
    void start(Server started) {
        server = started;
    }

    /** Begins no further change. */
    void close() {
        closed = true;
    }

    /** Waits at most the grace period for a change that is being made. */
    void awaitChange() {
        try {
            if (changing.tryLock(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                changing.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Null until it has started. */
    @Nullable
    Server server() {
        return server;
    }

    /** The grace period for running requests. */
    Duration grace() {
        return grace;
    }

    /** All of them. Does not wait for changes that are being made. */
    Collection<Known> all() {
        return known.values();
    }

    Set<ContextName> names() {
        return known.keySet();
    }

    /** Null if there is none of this name. */
    @Nullable
    Known get(ContextName name) {
        return known.get(name);
    }

    Known find(ContextName name) throws Refusal {
        Known found = known.get(name);
        if (found == null) {
            throw new Refusal(Refusal.Reason.NO_CONTEXT);
        }
        return found;
    }

    /** Like {@link #find}, after the change that is being made. */
    Known findSettled(ContextName name) throws Refusal {
        changing.lock();
        try {
            return find(name);
        } finally {
            changing.unlock();
        }
    }

    // ---- changes

    /** A change, made with the lock held. */
    interface Change<T> {
        @Nullable
        T on(Server running) throws Refusal, IOException;
    }

    /** Makes a change that an operator asks for. */
    <T> @Nullable T change(Change<T> change) throws Refusal {
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

    /** Runs a scan with the lock held, unless the server is stopping; logs what it throws. */
    void scan(Server on, Consumer<Server> scan) {
        changing.lock();
        try {
            if (!closed) {
                scan.accept(on);
            }
        } catch (RuntimeException | Error e) {
            StandaloneLog.SERVER.autoDeployFailed(host.appBase().toString(), e);
        } finally {
            changing.unlock();
        }
    }

    /** Whether what was found differs from what is deployed, and was found twice in this state. */
    boolean isToBeDeployed(PlannedDeployment found, Stamp stamp) {
        ContextName name = found.name();
        Known before = known.get(name);
        if (before != null && before.stamp.equals(stamp) || stamp.equals(retired.get(name))) {
            pending.remove(name);
            return false;
        }
        return stamp.equals(pending.put(name, stamp)) && pending.remove(name, stamp);
    }

    /** Forgets that a change was found once: it is made now. */
    void forgetPending(ContextName name) {
        pending.remove(name);
    }

    /** Forgets which versions were retired, but for those whose files are still there. */
    void forgetRetired(Set<ContextName> present) {
        retired.keySet().retainAll(present);
    }

    /**
     * Deploys an application in place of what has its name.
     *
     * @return why it did not start; null if it did
     */
    @Nullable
    String deploy(Server on, PlannedDeployment found) {
        Known before = known.get(found.name());
        return deploy(on, found, stamp(found), before == null ? null : before.application, grace);
    }

    /**
     * Deploys an application.
     *
     * @param running the application to replace; null if there is none
     * @param longest the grace period for its requests
     * @return why it did not start; null if it did
     */
    @Nullable
    String deploy(Server on, PlannedDeployment found, Stamp stamp, @Nullable Application running, Duration longest) {
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

    /**
     * Ends a deployment, and stops its application.
     *
     * @param longest the grace period for its requests
     */
    void remove(Server on, Known gone, Duration longest) {
        ContextName name = gone.deployment.name();
        known.remove(name);
        pending.remove(name);
        reloads.forget(name);
        factory.notFailed(name);
        if (gone.application != null) {
            on.undeploy(gone.application, longest);
            factory.deleteWork(gone.deployment);
        }
    }

    /** Ends a deployment, and deletes its files. */
    void removeWithFiles(Server on, Known gone, Duration longest) {
        retired.put(gone.deployment.name(), gone.stamp);
        remove(on, gone, longest);
        factory.deleteWork(gone.deployment);
        new OldVersions(host)
                .delete(
                        gone.deployment,
                        known.values().stream().map(Known::deployment).toList());
    }

    /** Keeps a deployment without an application, until it is started or its files change. */
    void stop(Server on, PlannedDeployment deployment, Stamp stamp, @Nullable Application running) {
        if (running != null) {
            on.undeploy(running, grace);
        }
        known.put(deployment.name(), new Known(deployment, stamp, null));
    }

    /** The deployment of a name by its files as they are now. */
    PlannedDeployment planned(ContextName name) throws Refusal, IOException {
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
}
