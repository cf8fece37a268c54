package io.millrace.standalone.log;

import io.millrace.servlet.deploy.loader.WebAppClassLoader;
import org.jspecify.annotations.Nullable;

/** What a message belongs to, as far as the thread that logs it knows. */
final class LogOrigin {

    /** The loggers of {@code ServletContext.log}, which belong to the application, as in Tomcat. */
    static final String OF_APPLICATIONS = "org.apache.catalina.core.ContainerBase.";

    private LogOrigin() {}

    /**
     * The context path of the application; null for the server.
     *
     * @param logger {@code org.apache.catalina.core.ContainerBase.[Catalina].[localhost].[/shop]} for {@code
     *     ServletContext.log}
     */
    static @Nullable String application(String logger) {
        if (logger.startsWith(OF_APPLICATIONS) && logger.endsWith("]")) {
            int open = logger.lastIndexOf('[');
            String path = logger.substring(open + 1, logger.length() - 1);
            if (path.startsWith("/")) {
                return path;
            }
        }
        return WebAppClassLoader.applicationOf(Thread.currentThread().getContextClassLoader());
    }
}
