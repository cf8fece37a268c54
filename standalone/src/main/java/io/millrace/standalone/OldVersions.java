package io.millrace.standalone;

import io.millrace.files.FileDeletion;
import io.millrace.servlet.WebApplication;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * Finds versions of a host's applications that a later one has superseded and that have no sessions left, and deletes their
 * files: Tomcat's {@code undeployOldVersions}.
 */
final class OldVersions {

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
        try {
            FileDeletion.deleteTree(place);
        } catch (IOException e) {
            StandaloneLog.SERVER.oldVersionNotDeleted(place.toString(), e.toString());
        }
    }
}
