package io.millrace.servlet.app;

import io.millrace.files.CacheLimits;
import io.millrace.files.SymbolicLinks;
import io.millrace.servlet.cookie.SameSite;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.FormLimits;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a web application is made from.
 *
 * @param contextPath {@code ""} for the root
 * @param logName of the logger that {@code ServletContext.log} writes to
 * @param docBase a directory, perhaps an empty one
 * @param resourceRoots directories and jars with more static resources
 * @param extra files from elsewhere that appear among these
 * @param fileCache what the default servlet keeps
 * @param links where symbolic links among the files may lead
 * @param temporaryDirectory the application's own
 * @param jvmRoute for session ids; null: none
 * @param redirectPort where https is served; 0: nowhere
 * @param crossContext may it see the other applications of its host?
 * @param signOn shares logins with other applications; null: they are its own
 */
public record AppSettings(
        String contextPath,
        String logName,
        WebAppModel model,
        ClassLoader loader,
        Path docBase,
        List<Path> resourceRoots,
        ExtraResources extra,
        CacheLimits fileCache,
        SymbolicLinks links,
        Path temporaryDirectory,
        SameSite sameSite,
        SessionSettings sessions,
        FormLimits formLimits,
        IdentityStore identityStore,
        LoginOptions loginOptions,
        @Nullable String jvmRoute,
        int redirectPort,
        boolean crossContext,
        @Nullable SingleSignOn signOn) {

    /** The context path as people read it. */
    public String displayPath() {
        return contextPath.isEmpty() ? "/" : contextPath;
    }
}
