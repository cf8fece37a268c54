package io.millrace.servlet.app;

import io.millrace.files.CacheLimits;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.ContainerServlets;
import io.millrace.servlet.uri.PercentEncoding;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a web application.
 *
 * @param contextPath decoded; {@code ""} for the root
 * @param logName the name of the logger of {@code ServletContext.log}
 * @param docBase a directory, which may be empty
 * @param resourceRoots directories and JARs with more static resources
 * @param extra further resources, from outside the application
 * @param fileCache limits of the default servlet's cache
 * @param temporaryDirectory the application's temporary directory
 * @param settings the operator's settings
 * @param signOn shares logins with other applications; null if they are not shared
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
        Path temporaryDirectory,
        Settings settings,
        SessionSettings sessions,
        IdentityStore identityStore,
        @Nullable SingleSignOn signOn,
        ContainerServlets container) {

    /** The value of a setting, unless a connector overrides it. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /** The context path as it is written into URLs. */
    public String escapedContextPath() {
        return PercentEncoding.encode(contextPath);
    }

    /** The context path for display. */
    public String displayPath() {
        return contextPath.isEmpty() ? "/" : contextPath;
    }
}
