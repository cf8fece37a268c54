package io.millrace.standalone;

import io.millrace.servlet.deploy.DefaultDescriptors;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.LockOut;
import io.millrace.servlet.identity.UsersFile;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.standalone.base.ServerClasses;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all applications of a site have in common.
 *
 * @param work WARs are unpacked below it; null for temporary directories
 * @param users who may log in; null for nobody
 * @param jvmRoute what session ids end with; empty for nothing
 * @param defaults what their web.xml need not say
 * @param shared what ResourceLink elements of their Contexts lead to
 * @param classes what they see besides their own
 * @param container of engine and host, as in the names of Tomcat's loggers: {@code [Catalina].[localhost]}
 * @param base what names of files in their Contexts are relative to
 * @param sessionValves those of engine and host, in the order in which requests meet them; Valves of their Contexts come after
 * @param signOn shares the logins of those that have its users; null: each has its own
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
        List<Values> sessionValves) {

    /** As Tomcat names the logger of an application's ServletContext. */
    String logName(ContextName name) {
        String path = name.path().isEmpty() ? "/" : name.path();
        String version = name.version().isEmpty() ? "" : "##" + name.version();
        return "org.apache.catalina.core.ContainerBase." + container + ".[" + path + version + "]";
    }

    /** Another one than Tomcat's, which can't read what is stored here, and whose sessions can't be read here. */
    String sessionsName(ContextName name) {
        return "millrace:" + container + "/" + name.fileName();
    }

    static IdentityStore readUsers(Path file) throws OperatorException {
        if (Files.notExists(file)) {
            throw new OperatorException(file + ": there is no such file");
        }
        try {
            return LockOut.around(UsersFile.read(file));
        } catch (IOException e) {
            throw new OperatorException(String.valueOf(e.getMessage()));
        }
    }
}
