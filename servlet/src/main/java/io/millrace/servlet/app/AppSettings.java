package io.millrace.servlet.app;

import io.millrace.files.CacheLimits;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.ContainerServlets;
import io.millrace.servlet.settings.SameSite;
import io.millrace.servlet.uri.UrlEscapes;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.util.function.Function;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which a web application was started, and what was read of it.
 *
 * @param contextPath decoded; {@code ""} for the root
 * @param logName the name of the logger of {@code ServletContext.log}
 * @param fileCache limits of the default servlet's cache
 * @param settings the operator's settings
 * @param signOn shares logins with other applications; null if they are not shared
 * @param sameSite the SameSite attribute of a cookie; null for that of the settings
 */
public record AppSettings(
        String contextPath,
        String logName,
        Deployment deployment,
        CacheLimits fileCache,
        Settings settings,
        SessionSettings sessions,
        IdentityStore identityStore,
        @Nullable SingleSignOn signOn,
        ContainerServlets container,
        Function<Cookie, @Nullable SameSite> sameSite) {

    public WebAppModel model() {
        return deployment.model();
    }

    public ClassLoader loader() {
        return deployment.loader();
    }

    /** The value of a setting, unless a connector overrides it. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /** The context path as it is written into URLs. */
    public String escapedContextPath() {
        return UrlEscapes.encode(contextPath);
    }

    /** The context path for display. */
    public String displayPath() {
        return contextPath.isEmpty() ? "/" : contextPath;
    }
}
