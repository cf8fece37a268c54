package io.millrace.examples;

import java.io.IOException;
import java.io.PrintWriter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Writes an HTML page. */
final class Html {

    private final PrintWriter out;

    private Html(PrintWriter out) {
        this.out = out;
    }

    static Html begin(HttpServletResponse response, String title) throws IOException {
        return begin(response, title, "");
    }

    /** For a page that is sent at any path of the application: its links are relative to the context path. */
    static Html beginAnywhere(HttpServletRequest request, HttpServletResponse response, String title)
            throws IOException {
        return begin(response, title, "<base href=\"" + escape(request.getContextPath()) + "/\">");
    }

    private static Html begin(HttpServletResponse response, String title, String base) throws IOException {
        response.setContentType("text/html;charset=UTF-8");
        Html page = new Html(response.getWriter());
        page.out.printf(
                "<!DOCTYPE html>%n<html lang=\"en\"><head>%2$s<title>%1$s</title>"
                        + "<link rel=\"stylesheet\" href=\"style.css\"></head>%n<body><h1>%1$s</h1>%n",
                escape(title), base);
        return page;
    }

    /** Writes a paragraph; the text is escaped. */
    Html line(String text) {
        out.printf("<p>%s</p>%n", escape(text));
        return this;
    }

    /** Writes a table row; both cells are escaped. */
    Html row(String name, String value) {
        out.printf("<table><tr><th>%s</th><td>%s</td></tr></table>%n", escape(name), escape(value));
        return this;
    }

    void end() {
        out.printf("<p><a href=\"index.html\">All examples</a></p></body></html>%n");
    }

    /** Escapes text that may come from a client. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
