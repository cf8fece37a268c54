package io.millrace.servlet.webdav;

import javax.servlet.ServletConfig;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * The init parameters of Tomcat's WebdavServlet, and two of its default servlet's.
 *
 * @param maxDepth the depth to which an infinite PROPFIND is limited
 * @param special true if WEB-INF and META-INF are accessible
 * @param subpath true if the servlet's path is part of the resources' paths; otherwise the application's root is at the servlet's
 *     path
 */
record DavSettings(boolean readonly, boolean listings, int maxDepth, boolean special, boolean subpath) {

    /** For the default servlet, whose paths are those of the application's files. */
    static final DavSettings OF_DEFAULT_SERVLET = new DavSettings(false, false, 0, false, true);

    private static final int DEFAULT_DEPTH = 3;

    static DavSettings of(ServletConfig config) throws ServletException {
        return new DavSettings(
                flag(config, "readonly", true),
                flag(config, "listings", false),
                depth(config),
                flag(config, "allowSpecialPaths", false),
                flag(config, "serveSubpathOnly", false));
    }

    private static boolean flag(ServletConfig config, String name, boolean otherwise) {
        String value = config.getInitParameter(name);
        return value == null ? otherwise : Boolean.parseBoolean(value.strip());
    }

    private static int depth(ServletConfig config) throws ServletException {
        String value = config.getInitParameter("maxDepth");
        int depth = value == null ? DEFAULT_DEPTH : parse(value.strip());
        if (depth < 0) {
            throw new ServletException("servlet \"" + config.getServletName() + "\": maxDepth is \"" + value
                    + "\"; expected a number from 0");
        }
        return depth;
    }

    private static int parse(@Nullable String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
