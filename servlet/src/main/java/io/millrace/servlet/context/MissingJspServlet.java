package io.millrace.servlet.context;

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

/** Replaces a missing JSP engine, so that a page's source is never sent. */
final class MissingJspServlet extends HttpServlet {

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
