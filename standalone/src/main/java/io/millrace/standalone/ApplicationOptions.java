package io.millrace.standalone;

import io.millrace.servlet.deploy.DefaultDescriptors;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.LockOut;
import io.millrace.servlet.identity.PasswordFormat;
import io.millrace.servlet.identity.UsersFile;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.standalone.base.ServerClasses;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.realm.RealmKind;
import io.millrace.standalone.config.realm.UsersFileRealm;
import io.millrace.standalone.config.schema.Element;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options that all applications of a site share.
 *
 * @param work the directory below which WARs are unpacked; null for temporary directories
 * @param users the identity store; null if no user can log in
 * @param jvmRoute the suffix of session ids; empty for none
 * @param defaults the default deployment descriptors
 * @param shared the targets of ResourceLink elements of their Contexts
 * @param classes the class loaders of the server
 * @param container of engine and host, as in the names of Tomcat's loggers: {@code [Catalina].[localhost]}
 * @param base the directory to which file names in their Contexts are relative
 * @param sessionValves those of engine and host, in the order in which they process requests, before those of Contexts
 * @param cluster where applications share their sessions; null if they do not
 * @param signOn for the applications that use the same identity store; null without single sign-on
 */
record ApplicationOptions(
        @Nullable Path work,
        @Nullable IdentityStore users,
        String jvmRoute,
        DefaultDescriptors defaults,
        SharedResources shared,
        ServerClasses classes,
        String container,
        Path base,
        @Nullable SingleSignOn signOn,
        List<Element> sessionValves,
        SharedClusters.@Nullable Sharing cluster) {

    /** Tomcat's name of the logger of an application's ServletContext. */
    String logName(ContextName name) {
        return "org.apache.catalina.core.ContainerBase." + container + ".[" + name.marked() + "]";
    }

    /** Differs from Tomcat's name: neither server can read the sessions that the other stored. */
    String sessionsName(ContextName name) {
        return "millrace:" + clusterName(name);
    }

    /** What servers that share its sessions have to have in common: the names of Engine and Host, and its own. */
    String clusterName(ContextName name) {
        return container + "/" + name.fileName();
    }

    /** The resources of an application's own Realm. */
    RealmKind.Resources ofRealm(ContextName name) {
        return cluster == null ? shared : shared.with(cluster, clusterName(name));
    }

    static IdentityStore readUsers(Path file) throws OperatorException {
        if (Files.notExists(file)) {
            throw new OperatorException(file + ": there is no such file");
        }
        try {
            return LockOut.around(UsersFile.read(file, PasswordFormat.detected(), UsersFileRealm.VARIABLES::valueOf));
        } catch (IOException e) {
            throw new OperatorException(String.valueOf(e.getMessage()));
        }
    }
}
