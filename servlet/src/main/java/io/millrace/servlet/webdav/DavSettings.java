package io.millrace.servlet.webdav;

import javax.servlet.ServletConfig;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * The init parameters of Tomcat's WebdavServlet that its default servlet does not have; and two that it has.
 *
 * @param maxDepth how far a PROPFIND with infinite depth goes
 * @param special are WEB-INF and META-INF resources like others?
 * @param subpath is the servlet's path part of that of resources? Otherwise the application's root is at the servlet's path
 */
record DavSettings(boolean readonly, boolean listings, int maxDepth, boolean special, boolean subpath) {

    /** Its paths are those of the application's files, as if it served WebDAV below its own path only. */
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
