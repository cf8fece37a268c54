package io.millrace.servlet.app;

import io.millrace.files.CacheLimits;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
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
 * @param temporaryDirectory the application's own
 * @param settings what the operator says by settings of all kinds
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
        Path temporaryDirectory,
        Settings settings,
        SessionSettings sessions,
        IdentityStore identityStore,
        @Nullable SingleSignOn signOn) {

    /** The value of a setting, unless a connector has one of its own. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /** The context path as people read it. */
    public String displayPath() {
        return contextPath.isEmpty() ? "/" : contextPath;
    }
}
