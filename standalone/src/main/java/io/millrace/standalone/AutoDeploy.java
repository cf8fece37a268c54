package io.millrace.standalone;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.standalone.deploy.Deployment;
import io.millrace.standalone.deploy.Stamp;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a host's appBase now and then: deploys what is new, deploys anew what changed, ends what is gone. A file counts
 * once two looks saw it alike, so that one still being copied is left alone. All of it on one thread of its own.
 */
final class AutoDeploy implements Watch {

    /** Tomcat's default. */
    private static final int EVERY_SECONDS = 10;

    /**
     * What is known of one context path.
     *
     * @param application null if it could not be deployed
     */
    private record Known(
            Deployment deployment, Stamp stamp, @Nullable WebApplication application) {}

    private final ServerConfig.Host host;
    private final Applications factory;
    private final Duration grace;
    private final Map<String, Known> known = new HashMap<>();
    /** Seen once. */
    private final Map<String, Stamp> pending = new HashMap<>();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(action -> {
        Thread thread = new Thread(action, "millrace-autodeploy");
        thread.setDaemon(true);
        return thread;
    });

    /** @param applications what was made of the deployments, each at its context path */
    AutoDeploy(
            ServerConfig.Host host,
            Applications factory,
            Duration grace,
            List<Deployment> deployments,
            List<WebApplication> applications) {
        this.host = host;
        this.factory = factory;
        this.grace = grace;
        for (Deployment deployment : deployments) {
            known.putIfAbsent(
                    deployment.contextPath(),
                    new Known(deployment, Stamp.of(deployment.docBase()), at(deployment.contextPath(), applications)));
        }
    }

    private static @Nullable WebApplication at(String path, List<WebApplication> applications) {
        return applications.stream()
                .filter(application -> application.contextPath().equals(path))
                .findFirst()
                .orElse(null);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // look() throws nothing
    public void start(Server server) {
        int configured = host.values().number("backgroundProcessorDelay");
        int seconds = configured > 0 ? configured : EVERY_SECONDS;
        timer.scheduleWithFixedDelay(() -> look(server), seconds, seconds, TimeUnit.SECONDS);
    }

    /** Waits for a deployment that is under way. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            timer.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Server server) {
        try {
            Set<String> present = new HashSet<>();
            for (Deployment found : AppBase.deployments(host)) {
                if (present.add(found.contextPath())) {
                    consider(server, found);
                }
            }
            for (String path : List.copyOf(known.keySet())) {
                if (!present.contains(path)) {
                    end(server, path);
                }
            }
        } catch (IOException e) {
            Messages.LOG.appBaseUnreadable(host.appBase().toString(), e.toString());
        } catch (RuntimeException | Error e) {
            Messages.LOG.autoDeployFailed(host.appBase().toString(), e);
        }
    }

    private void consider(Server server, Deployment found) {
        String path = found.contextPath();
        Stamp stamp = Stamp.of(found.docBase());
        Known before = known.get(path);
        if (before != null && before.stamp.equals(stamp)) {
            pending.remove(path);
        } else if (stamp.equals(pending.put(path, stamp))) {
            pending.remove(path);
            deploy(server, found, stamp, before == null ? null : before.application);
        }
    }

    /** @param running what is to make room for it; null if there is nothing */
    private void deploy(Server server, Deployment found, Stamp stamp, @Nullable WebApplication running) {
        String name = found.docBase().toString();
        String defect = found.defect();
        if (defect != null) {
            Messages.LOG.notDeployed(name, defect);
            known.put(found.contextPath(), new Known(found, stamp, running));
            return;
        }
        WebApplication next = null;
        try {
            next = factory.application(found);
            if (running == null) {
                server.deploy(host.name(), next);
            } else {
                server.replace(running, next, grace);
            }
            Messages.LOG.deployed(name, display(found.contextPath()));
        } catch (Exception | LinkageError e) {
            Messages.LOG.deploymentFailed(name, display(found.contextPath()), e);
            if (running == null) {
                next = null; // nothing holds its place
            }
        }
        known.put(found.contextPath(), new Known(found, stamp, next == null ? running : next));
    }

    private void end(Server server, String path) {
        Known gone = known.remove(path);
        pending.remove(path);
        if (gone != null && gone.application != null) {
            server.undeploy(gone.application, grace);
            factory.forget(gone.deployment);
            Messages.LOG.undeployed(gone.deployment.docBase().toString(), display(path));
        }
    }

    private static String display(String path) {
        return path.isEmpty() ? "/" : path;
    }
}
