package io.millrace.servlet.context;

import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.model.JspPropertyGroupModel;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.ResourceTree;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Maps to the JSP engine what a descriptor assigns to it: pages declared as servlets (jsp-file, Servlet 3.1, 14.4), and the URL
 * patterns of property groups (JSP 2.3, 3.3.2). The engine is the servlet of Jasper's class or the one named {@code jsp}; another
 * servlet mapped to {@code *.jsp} can't run single pages.
 */
final class JspPages {

    /** Which Tomcat's conf/web.xml maps to the servlet {@code jsp}. */
    static final String[] PATTERNS = {"*.jsp", "*.jspx"};

    private static final String ENGINE = "org.apache.jasper.servlet.JspServlet";

    /** Jasper's init parameter for the page that its servlet runs. */
    private static final String PAGE = "jspFile";

    private final Registrations registrations;
    private final WebAppModel model;

    JspPages(Registrations registrations, WebAppModel model) {
        this.registrations = registrations;
        this.model = model;
    }

    /** Adds the mappings, once all servlets are registered. */
    void settle() {
        ServletHolder engine = engine();
        if (engine == null) {
            return;
        }
        for (ServletModel servlet : List.copyOf(model.servlets.values())) {
            String page = servlet.jspFile;
            if (page != null && servlet.className == null) {
                engine.model().initParameters.forEach(servlet.initParameters::putIfAbsent);
                servlet.initParameters.put(PAGE, page);
                registrations.runPage(servlet, engine);
            }
        }
        for (JspPropertyGroupModel group : model.jspPropertyGroups) {
            for (String pattern : group.urlPatterns()) {
                claim(pattern, engine.model());
            }
        }
    }

    private @Nullable ServletHolder engine() {
        ServletModel own = model.servlets.values().stream()
                .filter(servlet -> ENGINE.equals(servlet.className) && servlet.mappings.contains("*.jsp"))
                .findFirst()
                .orElse(null);
        return registrations.servlet(own == null ? "jsp" : own.name);
    }

    /** If a property group and a servlet have the same pattern, the group takes precedence. */
    private void claim(String pattern, ServletModel engine) {
        for (ServletModel servlet : model.servlets.values()) {
            servlet.mappings.remove(pattern);
        }
        engine.mappings.add(pattern);
    }

    /** Replaces a missing JSP engine, so that a page's source is never sent. */
    static final class MissingEngine extends HttpServlet {

        private static final long serialVersionUID = 1L;

        /** Enough for the pages of an application; the search for one should not delay the start of one with many other files. */
        private static final int MAX_FILES = 2000;

        /** The path of a page of the application, declared as a servlet or among its first files; null if there is none. */
        static @Nullable String anyPage(WebAppModel model, ResourceTree files) {
            for (ServletModel servlet : model.servlets.values()) {
                if (servlet.jspFile != null && servlet.className == null) {
                    return servlet.jspFile;
                }
            }
            Deque<String> directories = new ArrayDeque<>(List.of("/"));
            int seen = 0;
            while (!directories.isEmpty() && seen < MAX_FILES) {
                Set<String> paths = files.list(directories.remove());
                for (String path : paths == null ? Set.<String>of() : paths) {
                    seen++;
                    if (path.endsWith(".jsp") || path.endsWith(".jspx")) {
                        return path;
                    }
                    if (path.endsWith("/") && !path.equals("/WEB-INF/classes/") && !path.equals("/WEB-INF/lib/")) {
                        directories.add(path);
                    }
                }
            }
            return null;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendError(
                    HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
                    "This is a JSP page, but the server has no JSP engine. Add one to the application or to the server.");
        }
    }
}
