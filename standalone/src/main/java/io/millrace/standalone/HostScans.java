package io.millrace.standalone;

import io.millrace.Server;
import io.millrace.io.Timers;
import io.millrace.jmx.Bean;
import io.millrace.jmx.JmxDomain;
import io.millrace.servlet.WebApplication;
import io.millrace.standalone.HostDeployments.Known;
import io.millrace.standalone.admin.Administration.Refusal;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.HostKind;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.deploy.Stamp;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds what has changed in a host's files while the server runs. With {@code autoDeploy}, a periodic scan of appBase deploys new
 * applications, redeploys changed ones and undeploys deleted ones; a change takes effect once two consecutive scans find the same
 * state, so that a file is not deployed while it is being copied. Another one reloads applications whose classes have changed ({@link
 * Reloads}). Tools keep scans from an application, or ask for one, by an MBean.
 */
final class HostScans implements Watch {

    /** Tomcat's default. */
    private static final int EVERY_SECONDS = 10;

    private final ServerConfig.Host host;
    private final HostDeployments deployments;
    private final Applications factory;
    private final Timers timers;
    private final JmxDomain jmx;
    private final Reloads reloads;
    /** What tools keep scans from. */
    private final Set<ContextName> serviced = ConcurrentHashMap.newKeySet();

    private volatile JmxDomain.@Nullable Offer offered;
    private volatile @Nullable PeriodicTask scans;

    /**
     * @param factory of the applications
     * @param jmx the server's MBeans
     */
    HostScans(ServerConfig.Host host, HostDeployments deployments, Applications factory, Timers timers, JmxDomain jmx) {
        this.host = host;
        this.deployments = deployments;
        this.factory = factory;
        this.timers = timers;
        this.jmx = jmx;
        reloads = factory.reloads();
    }

    @Override
    public void start(Server started) {
        deployments.start(started);
        offered = jmx.offer(() -> List.of(bean()));
        reloads.start(() -> begin(() -> deployments.scan(started, this::reloadChanged), Reloads.PERIOD)::stop);
        if (!host.element().get(HostKind.AUTO_DEPLOY)) {
            return;
        }
        int configured = host.element().get(HostKind.BACKGROUND_PROCESSOR_DELAY);
        Duration delay = Duration.ofSeconds(configured > 0 ? configured : EVERY_SECONDS);
        scans = begin(() -> deployments.scan(started, this::scan), delay);
    }

    private PeriodicTask begin(Runnable scan, Duration pause) {
        PeriodicTask task = new PeriodicTask(
                scan,
                pause,
                timers,
                HostScans::thread,
                reason -> StandaloneLog.SERVER.noThreadForScan(host.appBase().toString(), reason));
        task.begin();
        return task;
    }

    private static Thread thread(Runnable scan) {
        Thread thread = new Thread(scan, "millrace-autodeploy");
        thread.setDaemon(true);
        return thread;
    }

    /** Waits at most the grace period for a running scan. */
    @Override
    public void close() {
        deployments.close();
        JmxDomain.Offer bean = offered;
        if (bean != null) {
            bean.close();
        }
        reloads.stop();
        PeriodicTask task = scans;
        if (task != null) {
            task.stop();
        }
        deployments.awaitChange();
    }

    private void reloadChanged(Server on) {
        for (Reloads.Changed each : reloads.look()) {
            Known before = deployments.get(each.name());
            if (before != null && before.application() != null && !serviced.contains(each.name())) {
                reload(on, before, each);
            }
        }
    }

    private void reload(Server on, Known before, Reloads.Changed changed) {
        String name = changed.name().display();
        try {
            String unloadable = changed.defect(factory.parentLoader());
            String defect = unloadable == null ? factory.unreadable(before.deployment()) : unloadable;
            if (defect == null) {
                StandaloneLog.SERVER.reloading(name, changed.files());
                deployments.deploy(on, before.deployment(), before.stamp(), before.application(), Reloads.GRACE);
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

    private void scan(Server on) {
        try {
            Set<ContextName> present = new HashSet<>();
            for (PlannedDeployment found : AppBase.deployments(host)) {
                if (present.add(found.name()) && !serviced.contains(found.name())) {
                    consider(on, found);
                }
            }
            for (ContextName name : List.copyOf(deployments.names())) {
                Known gone = deployments.get(name);
                if (gone != null && !present.contains(name) && !serviced.contains(name)) {
                    undeploy(on, gone);
                }
            }
            deployments.forgetRetired(present);
            if (host.element().get(HostKind.UNDEPLOY_OLD_VERSIONS)) {
                retireUnused(on);
            }
        } catch (IOException e) {
            StandaloneLog.SERVER.appBaseUnreadable(host.appBase().toString(), e.toString());
        }
    }

    private void consider(Server on, PlannedDeployment found) {
        Stamp stamp = deployments.stamp(found);
        if (deployments.isToBeDeployed(found, stamp)) {
            Known before = deployments.get(found.name());
            deployments.deploy(on, found, stamp, before == null ? null : before.application(), deployments.grace());
        }
    }

    private void undeploy(Server on, Known gone) {
        deployments.remove(on, gone, deployments.grace());
        if (gone.application() != null) {
            StandaloneLog.SERVER.undeployed(
                    gone.deployment().docBase().toString(),
                    gone.deployment().name().display());
        }
    }

    /** Applications that server.xml names are never retired. */
    private void retireUnused(Server on) {
        Map<WebApplication, Known> running = new HashMap<>();
        for (Known each : deployments.all()) {
            if (each.application() instanceof WebApplication application
                    && each.deployment().line() == 0) {
                running.put(application, each);
            }
        }
        for (WebApplication old : OldVersions.unused(running.keySet())) {
            Known gone = Objects.requireNonNull(running.get(old));
            deployments.removeWithFiles(on, gone, deployments.grace());
            StandaloneLog.SERVER.oldVersionUndeployed(
                    gone.deployment().docBase().toString(),
                    gone.deployment().name().display());
        }
    }

    /** The MBean {@code Deployer} of the host, by which tools keep scans from an application while they change its files. */
    private Bean bean() {
        return Bean.of("The deployment of applications", "type", "Deployer", "host", host.name())
                .question(
                        "isDeployed",
                        "whether there is an application of this name",
                        boolean.class,
                        "name",
                        name -> isDeployed(parsed(name.get(0))))
                .question(
                        "isServiced",
                        "whether scans leave this application alone",
                        boolean.class,
                        "name",
                        name -> serviced.contains(parsed(name.get(0))))
                .change("addServiced", "makes scans leave an application alone", List.of("name"), name -> {
                    serviced.add(parsed(name.get(0)));
                    return null;
                })
                .change("removeServiced", "ends what addServiced began", List.of("name"), name -> {
                    serviced.remove(parsed(name.get(0)));
                    return null;
                })
                .change(
                        "check",
                        "deploys, redeploys or undeploys an application by its files, now",
                        List.of("name"),
                        name -> {
                            ContextName parsed = parsed(name.get(0));
                            if (!serviced.contains(parsed)) { // as in Tomcat
                                check(parsed);
                            }
                            return null;
                        });
    }

    private boolean isDeployed(ContextName name) {
        Known each = deployments.get(name);
        return each != null && each.application() != null;
    }

    /** Deploys, redeploys or undeploys what is at this name, by its files. */
    private void check(ContextName name) throws Refusal {
        deployments.change(on -> {
            PlannedDeployment found = null;
            for (PlannedDeployment each : AppBase.deployments(host)) {
                found = found == null && each.name().equals(name) ? each : found;
            }
            Known before = deployments.get(name);
            if (found == null) {
                if (before != null) {
                    undeploy(on, before);
                }
            } else if (before == null || !before.stamp().equals(deployments.stamp(found))) {
                deployments.forgetPending(name);
                deployments.deploy(on, found);
            }
            return true;
        });
    }

    /** As Tomcat names applications: {@code /shop##2}; the root is empty. */
    private static ContextName parsed(String name) {
        int mark = name.indexOf("##");
        String path = mark < 0 ? name : name.substring(0, mark);
        if (!path.isEmpty() && !path.startsWith("/")) {
            throw new IllegalArgumentException("\"" + name + "\" is no context path; expected one such as /shop");
        }
        return new ContextName(path.equals("/") ? "" : path, mark < 0 ? "" : name.substring(mark + 2));
    }
}
