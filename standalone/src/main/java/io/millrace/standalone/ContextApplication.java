package io.millrace.standalone;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.deploy.DefaultDescriptors;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.FileSessionStore;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.servlet.settings.ContainerServlets;
import io.millrace.settings.Settings;
import io.millrace.standalone.admin.ManagerClasses;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.context.ContextKinds;
import io.millrace.standalone.config.context.SessionKinds;
import io.millrace.standalone.config.resource.ResourceKinds;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.Authenticator;
import io.millrace.standalone.config.valve.PersistentValve;
import io.millrace.standalone.config.valve.SessionValve;
import io.millrace.standalone.config.valve.ValveKind;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Configures a web application as its Context elements specify. */
final class ContextApplication {

    private ContextApplication() {}

    /**
     * Must be called before the application starts.
     *
     * @param work the application's work directory; null if it is a temporary one
     * @param shared the targets of ResourceLink elements
     * @param base the directory to which relative paths are relative
     * @param defaults the default deployment descriptors
     * @param sessionValves those of its engine and host
     * @param inDatabases its name in session tables
     * @param cluster where it shares its sessions if it is distributable; null if it does not
     * @param nameInCluster its name there
     */
    static void apply(
            ContextSettings context,
            WebApplication application,
            @Nullable Path work,
            SharedResources shared,
            Path base,
            DefaultDescriptors defaults,
            List<Element> sessionValves,
            String inDatabases,
            SharedClusters.@Nullable Sharing cluster,
            String nameInCluster) {
        reading(context, application, base, defaults);
        application.fileCache(context.fileCache());
        List<Element> valves = new ArrayList<>(sessionValves);
        valves.addAll(context.sessionValves());
        SessionSettings sessions =
                new SessionManager(context, valves, work, application.contextPath(), inDatabases).settings(shared);
        if (cluster != null && sessions.keeping() != SessionSettings.Keeping.SHARED) {
            sessions = cluster.of(sessions, nameInCluster);
        }
        for (Element valve : valves) {
            SessionValve kind = (SessionValve) valve.kind();
            sessions = kind.sessions(valve, sessions);
            kind.configure(valve, application);
        }
        application.sessions(sessions);
        Integer timeout = context.find(ContextKinds.SESSION_TIMEOUT);
        if (timeout != null) {
            application.model(model ->
                    model.session.timeoutMinutes = model.session.timeoutSaid ? model.session.timeoutMinutes : timeout);
        }
        context.parameters().forEach(parameter -> add(parameter, application));
        NamedResources.add(context, application, shared);
    }

    /** Configures only what inspecting an application needs: reading it and authentication. */
    static void reading(ContextSettings context, WebApplication application, Path base, DefaultDescriptors defaults) {
        application.with(context.options());
        application.containerServlets(new ContainerServlets(ManagerClasses.ALL, context.isPrivileged()));
        application.deployment(new DeploymentOptions(defaults, context.extraResources(base), context.jarFilter()));
        Element authenticator = context.authenticator();
        if (authenticator != null) {
            application.with(authenticator.settings());
            application.model(model -> model.loginConfig = login(authenticator, model.loginConfig));
        }
    }

    /** An authenticator of the Context overrides the login method of web.xml, as in Tomcat. */
    static LoginConfigModel login(Element authenticator, @Nullable LoginConfigModel inWebXml) {
        String method = ((Authenticator) authenticator.kind()).method();
        if (inWebXml == null) {
            return new LoginConfigModel(method, null, null, null);
        }
        return method.equals(inWebXml.method())
                ? inWebXml
                : new LoginConfigModel(method, inWebXml.realm(), inWebXml.loginPage(), inWebXml.errorPage());
    }

    /** web.xml takes precedence, except over {@code override="false"}. */
    private static void add(Element parameter, WebApplication application) {
        String name = parameter.find(ResourceKinds.NAME);
        String value = parameter.find(ResourceKinds.VALUE);
        if (name != null && value != null) {
            application.model(model -> {
                if (parameter.get(ResourceKinds.OVERRIDE)) {
                    model.contextParameters.putIfAbsent(name, value);
                } else {
                    model.contextParameters.put(name, value);
                }
            });
        }
    }

    /**
     * The session settings of {@code <Manager>}: the StandardManager keeps sessions across restarts, in the directory of its
     * pathname; the PersistentManager keeps them in its Store, a directory or a table, and swaps out idle ones; with a
     * PersistentValve, each request reads its session from the Store.
     */
    private static final class SessionManager {

        private final ContextSettings context;
        private final List<Element> valves;
        private final @Nullable Path work;
        private final String contextPath;
        private final String inDatabases;
        private final boolean persistent;

        /**
         * Of one application.
         *
         * @param valves those of Engine, Host and Context that configure sessions
         * @param work the application's work directory; null if sessions are not stored in files
         * @param contextPath for messages
         * @param inDatabases its name in session tables
         */
        SessionManager(
                ContextSettings context,
                List<Element> valves,
                @Nullable Path work,
                String contextPath,
                String inDatabases) {
            this.context = context;
            this.valves = valves;
            this.work = work;
            this.contextPath = contextPath.isEmpty() ? "/" : contextPath;
            this.inDatabases = inDatabases;
            persistent = SessionKinds.isPersistent(context.manager());
        }

        SessionSettings settings(SharedResources shared) {
            Element generator = context.sessionIdGenerator();
            Settings settings = context.settings(
                    SessionSettings.ofContext(), context.manager().settings());
            SessionSettings said = SessionSettings.DEFAULT.with(
                    generator == null ? settings : settings.overriddenBy(generator.settings()));
            SessionDatabase database = SessionDatabase.of(context);
            SessionStore store = database == null ? files() : database.sessions(inDatabases, "", shared);
            if (store == null) {
                return said;
            }
            boolean eachRequest = persistent && ValveKind.last(PersistentValve.class, valves) != null;
            if (!eachRequest) {
                return said.keptOverRestart(store);
            }
            return database == null
                    ? said.shared(store)
                    : said.shared(store, database.sessions(inDatabases, " values", shared));
        }

        /** Null if sessions are kept in memory only. */
        private @Nullable SessionStore files() {
            String directory =
                    persistent ? directory(context.store()) : context.manager().get(SessionKinds.PATHNAME);
            if (directory.isEmpty() || work == null) {
                return null;
            }
            try {
                return new FileSessionStore(work.resolve(directory));
            } catch (IOException e) {
                StandaloneLog.SERVER.sessionsNotKept(contextPath, e.toString());
                return null;
            }
        }

        private static String directory(@Nullable Element store) {
            return store == null ? "" : store.get(SessionKinds.DIRECTORY);
        }
    }
}
