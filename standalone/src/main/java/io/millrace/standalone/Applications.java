package io.millrace.standalone;

import io.millrace.Application;
import io.millrace.files.FileDeletion;
import io.millrace.handler.HealthHandler;
import io.millrace.handler.PathRouter;
import io.millrace.rewrite.RewriteRules;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.standalone.admin.Administration;
import io.millrace.standalone.admin.StoppedLoader;
import io.millrace.standalone.base.Writable;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.context.ContextKinds;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.realm.RealmKind;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.AccessLogValve;
import io.millrace.standalone.config.valve.HandlerValve;
import io.millrace.standalone.config.valve.HealthCheckValve;
import io.millrace.standalone.config.valve.RewriteValve;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.log.ServerLogManager;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates web applications from deployments. One that cannot be deployed is logged as an error; its requests are answered with 503,
 * unless its context path belongs to another application, or to another version of it.
 */
final class Applications {

    private final ApplicationOptions options;
    /** The names of the deployments that could not be created or started, for the server's health. */
    private final Set<ContextName> failures = ConcurrentHashMap.newKeySet();
    /** The class loaders of applications that have stopped. */
    private final Set<StoppedLoader> stopped = ConcurrentHashMap.newKeySet();

    private final Reloads reloads = new Reloads();
    private volatile @Nullable Administration administration;

    Applications(ApplicationOptions options) {
        this.options = options;
    }

    /** Gives privileged applications the administration of their host. Called before the first application starts. */
    void administeredBy(Administration host) {
        administration = host;
    }

    /** The classes of those that are reloadable. */
    Reloads reloads() {
        return reloads;
    }

    /** The parent of their class loaders. */
    ClassLoader parentLoader() {
        return options.classes().shared();
    }

    /** The names of applications that have stopped and whose classes cannot be unloaded. Collects garbage first. */
    List<String> leaks() {
        System.gc();
        stopped.removeIf(loader -> loader.get() == null);
        return stopped.stream()
                .map(StoppedLoader::application)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns what prevents the start of an application, by its files; null if nothing is known. Runs none of its code. */
    @Nullable
    String unreadable(PlannedDeployment deployment) {
        String defect = defect(deployment);
        if (defect != null) {
            return defect;
        }
        WebApplication application = WebApplication.war(deployment.docBase())
                .contextPath(deployment.contextPath())
                .classLoader(parentLoader());
        ContextApplication.reading(
                deployment.context().settings(),
                application,
                deployment.context().base(),
                options.defaults());
        try {
            List<String> defects = application.inspect().defects();
            return defects.isEmpty() ? null : defects.get(0);
        } catch (IOException e) {
            return e.toString();
        }
    }

    List<Application> of(List<PlannedDeployment> deployments) {
        List<Application> applications = new ArrayList<>();
        List<PlannedDeployment> failed = new ArrayList<>();
        for (PlannedDeployment deployment : deployments) {
            try {
                applications.add(application(deployment));
            } catch (OperatorException e) {
                StandaloneLog.SERVER.notDeployed(deployment.docBase().toString(), String.valueOf(e.getMessage()));
                failed.add(deployment);
                failed(deployment);
            }
        }
        for (PlannedDeployment deployment : failed) {
            if (!deployment.superseded()
                    && applications.stream()
                            .noneMatch(other -> other.contextPath().equals(deployment.contextPath()))) {
                applications.add(new FailedApplication(
                        deployment.contextPath(), deployment.name().version()));
            }
        }
        return applications;
    }

    /** Remembers that an application does not run, although it should: unless its context path belongs to another deployment. */
    void failed(PlannedDeployment deployment) {
        if (!deployment.superseded()) {
            failures.add(deployment.name());
        }
    }

    /** Forgets that, because the application runs or is no longer there. */
    void notFailed(ContextName name) {
        failures.remove(name);
    }

    /**
     * The applications that should run and could not be created: the context path of each, with its version.
     *
     * @param host before each name
     */
    List<String> failures(String host) {
        return failures.stream().map(name -> host + name.marked()).toList();
    }

    /** Deletes the work directory of an application that was undeployed. */
    void deleteWork(PlannedDeployment deployment) {
        Path work = work(deployment);
        if (work == null) {
            return;
        }
        try {
            FileDeletion.deleteTree(work);
        } catch (IOException e) {
            StandaloneLog.SERVER.workNotDeleted(work.toString(), e.toString());
        }
    }

    /** Returns the work directory; null if it is a temporary one. */
    private @Nullable Path work(PlannedDeployment deployment) {
        String own = deployment.context().settings().find(ContextKinds.WORK_DIR);
        if (own != null && !own.isBlank()) {
            Path directory = options.base().resolve(own);
            String defect = Writable.defect(directory);
            if (defect == null) {
                return directory;
            }
            StandaloneLog.SERVER.workNotWritable(directory.toString(), defect);
        }
        Path work = options.work();
        return work == null ? null : work.resolve(deployment.name().fileName());
    }

    /** Returns why it cannot be deployed; null if no reason is known. */
    @Nullable
    String defect(PlannedDeployment deployment) {
        return Preflight.defect(deployment, options.classes(), options.base());
    }

    /** @throws OperatorException if it cannot be deployed; the message is the reason */
    WebApplication application(PlannedDeployment deployment) throws OperatorException {
        String defect = defect(deployment);
        if (defect != null) {
            throw new OperatorException(defect);
        }
        WebApplication application = WebApplication.war(deployment.docBase())
                .classLoader(parentLoader())
                .contextPath(deployment.contextPath())
                .version(deployment.name().version())
                .logName(options.logName(deployment.name()))
                .afterStop(loader -> {
                    ServerLogManager.release(loader);
                    stopped.removeIf(gone -> gone.get() == null);
                    stopped.add(new StoppedLoader(loader, deployment.name().marked()));
                })
                .with(ContextOptions.JVM_ROUTE, options.jvmRoute());
        Realm realm = deployment.context().realm();
        IdentityStore users =
                realm == null ? options.users() : RealmKind.storeOfContext(realm, options.ofRealm(deployment.name()));
        if (users != null) {
            application.identities(users);
        }
        signOn(deployment, application, users == null ? IdentityStore.NONE : users);
        Path work = work(deployment);
        if (work != null) {
            application.workDirectory(directory(work));
        }
        for (Element valve : deployment.context().settings().valves()) {
            if (valve.kind() instanceof HandlerValve handler) {
                application.before(handler.handler(valve, options.base(), warning -> warn(deployment, warning)));
            } else {
                rewrite(valve, deployment, application);
            }
        }
        rules(deployment, application, users);
        for (Element log : deployment.context().settings().accessLogs()) {
            if (AccessLogValve.defect(log, deployment.context().base()) == null) { // one of the notices
                application.accessLog(
                        AccessLogValve.builder(log, deployment.context().base()));
            }
        }
        health(deployment, application);
        if (deployment.context().settings().isReloadable()) {
            application.before(next -> reloads.showing(deployment.name(), next));
        }
        application.reloadedBy(() -> reload(deployment.name()));
        if (deployment.context().settings().isPrivileged()) {
            application.configure(context -> context.setAttribute(Administration.ATTRIBUTE, administration));
        }
        ContextApplication.apply(
                deployment.context().settings(),
                application,
                work,
                options.shared(),
                deployment.context().base(),
                options.defaults(),
                options.sessionValves(),
                options.sessionsName(deployment.name()),
                options.cluster(),
                options.clusterName(deployment.name()));
        warnOfProblems(deployment);
        Preflight.losses(deployment, options.classes()).forEach(loss -> warn(deployment, loss));
        Preflight.notices(deployment).forEach(notice -> warn(deployment, notice));
        return application;
    }

    private void reload(ContextName name) {
        Administration host = administration;
        if (host == null) {
            throw new IllegalStateException("it cannot be reloaded yet");
        }
        String failure;
        try {
            failure = host.reload(name);
        } catch (Administration.Refusal refusal) {
            throw new IllegalStateException(refusal.getMessage(), refusal);
        }
        if (failure != null) {
            throw new IllegalStateException("it did not start again: " + failure);
        }
    }

    /** Requests reach it after the Valves of the Context. */
    private static void health(PlannedDeployment deployment, WebApplication application) {
        Element valve = deployment.context().settings().health();
        if (valve != null) {
            String path = valve.get(HealthCheckValve.PATH); // the router matches below the context path
            HealthHandler health = HealthHandler.of(() -> application.contextIfStarted() != null);
            application.before(next ->
                    PathRouter.builder().exact(path, health).otherwise(next).build());
        }
    }

    private void signOn(PlannedDeployment deployment, WebApplication application, IdentityStore users) {
        SingleSignOn shared = options.signOn();
        if (shared != null && shared.isFor(users)) {
            application.singleSignOn(shared);
        } else if (shared != null) {
            warn(
                    deployment,
                    "it has its own Realm, so it does not take part in SingleSignOn; to include it, set"
                            + " requireReauthentication=\"true\" there");
        }
    }

    private void rewrite(Element valve, PlannedDeployment deployment, WebApplication application)
            throws OperatorException {
        RewriteRules rules = RewriteValve.ofContext(
                valve, deployment.docBase(), options.classes().server());
        if (rules != null) {
            application.rewrite(rules);
        } else if (valve.get(RewriteValve.ENABLED)) {
            warn(deployment, RewriteValve.withoutRules(valve));
        }
    }

    /** Requests reach them after the Valves of the Context, and before the rules in the application. */
    private void rules(PlannedDeployment deployment, WebApplication application, @Nullable IdentityStore users)
            throws OperatorException {
        String path = deployment.contextPath();
        for (Element rules : deployment.context().settings().rules()) {
            application.before(RuleFiles.of(rules, options.base(), users).below(path)::before);
        }
    }

    private static void warnOfProblems(PlannedDeployment deployment) {
        for (Problem problem : deployment.context().problems()) {
            warn(deployment, problem.toString());
        }
    }

    private static void warn(PlannedDeployment deployment, String warning) {
        StandaloneLog.SERVER.contextProblem(deployment.contextPath(), warning);
    }

    private static Path directory(Path path) throws OperatorException {
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new OperatorException("cannot create the work directory " + path + " (" + e + ")");
        }
    }
}
