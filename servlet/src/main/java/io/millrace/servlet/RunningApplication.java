package io.millrace.servlet;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpHandler;
import io.millrace.servlet.app.AppSettings;
import io.millrace.servlet.context.ComponentClasses;
import io.millrace.servlet.context.WebAppContext;
import io.millrace.servlet.context.WebAppLife;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.dispatch.ServletHandler;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.naming.Naming;
import io.millrace.servlet.security.AccessControl;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.ServletContext;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A started {@link WebApplication}: what the start opens, and the stop closes. */
record RunningApplication(
        WebAppContext context,
        WebAppLife life,
        HttpHandler handler,
        @Nullable Deployment deployment,
        WorkDirectory work,
        Naming naming,
        ApplicationLogs logs,
        Consumer<ClassLoader> afterStop) {

    /** Starts an application; closes everything again if that fails. */
    static RunningApplication start(WebApplication application, ServerContext server) throws Exception {
        WorkDirectory work = application.workDirectory();
        Deployment deployment = null;
        Naming naming = null;
        ApplicationLogs logs = null;
        try {
            logs = ApplicationLogs.open(application.accessLogs);
            deployment = application.open(work);
            AppSettings settings = application.settings(deployment, work);
            String defect = AccessControl.defect(settings.model(), settings.settings());
            if (defect != null) {
                throw new DeploymentException(defect);
            }
            List<String> forbidden =
                    ComponentClasses.forbidden(settings.model(), settings.loader(), settings.container());
            if (!forbidden.isEmpty()) {
                throw new DeploymentException(forbidden.get(0));
            }
            naming = Naming.open(settings.loader(), settings.model().namingEntries, application.source.resources());
            WebAppContext context =
                    new WebAppContext(settings, server, naming, path -> contextOf(server.application(path)));
            ServletContext servletContext = context.servletContext();
            servletContext.setAttribute(
                    Components.ATTRIBUTE, new Components(context.injector(), context.upgrades(), server));
            if (deployment != null) {
                servletContext.setAttribute(WebApplication.TAGLIB_JARS, deployment.taglibJars());
            }
            WebAppLife life = new WebAppLife(
                    context, deployment == null ? List.of() : deployment.initializers(), application.setup);
            ServletHandler entrance = life.start();
            HttpHandler handler = logs.wrap(application.wrapped(
                    context.drained(application.draining, entrance), settings.docBase(), entrance::refuse));
            return new RunningApplication(
                    context, life, handler, deployment, work, naming, logs, application.afterStop);
        } catch (Exception | Error e) {
            if (naming != null) {
                naming.close();
            }
            close(deployment, work, application.afterStop);
            if (logs != null) {
                logs.close();
            }
            throw e;
        }
    }

    private static @Nullable ServletContext contextOf(@Nullable Application application) {
        return application instanceof WebApplication web ? web.contextIfStarted() : null;
    }

    void stop() {
        life.stop();
        naming.close();
        close(deployment, work, afterStop);
        logs.close();
    }

    private static void close(@Nullable Deployment deployment, WorkDirectory work, Consumer<ClassLoader> afterStop) {
        try {
            if (deployment != null) {
                afterStop.accept(deployment.loader());
                deployment.close();
            }
        } catch (IOException e) {
            Logger.getLogger(WebApplication.class)
                    .debugf(e, "failed to close the JARs of the class loader of %s", deployment.docBase());
        }
        work.close();
    }
}
