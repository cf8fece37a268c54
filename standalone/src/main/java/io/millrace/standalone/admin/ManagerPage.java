package io.millrace.standalone.admin;

import io.millrace.handler.Page;
import io.millrace.text.Digests;
import java.util.Base64;
import java.util.List;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * A page of the manager: one of the server's own {@linkplain Page pages}, with forms, buttons and wide tables. It contains no script, and
 * its policy permits none.
 */
final class ManagerPage {

    /** Tables of a narrow window have one cell in a line, with its column's name. */
    private static final String STYLE = """
            main{max-width:76rem;padding-top:clamp(1.5rem,5vh,3rem)}
            h2{font-size:1.125rem;font-weight:600;margin:2.5rem 0 .5rem}
            nav{margin-bottom:1rem}
            nav a{margin-right:1.5rem;white-space:nowrap}
            input[type=checkbox]{align-self:start;margin:.4rem 0}
            .message{border:1px solid var(--line);border-left:.25rem solid var(--link);padding:.75rem 1rem;margin:1rem 0 0;\
            max-width:none;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.875rem}
            .failed{border-left-color:#c0392b}
            form{display:inline-block;margin:0 .25rem .25rem 0}
            form.block{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:end;margin:.5rem 0 1rem}
            label{font-size:.875rem;color:var(--soft)}
            form.block label{display:flex;flex-direction:column}
            input,button{font:inherit;font-size:.875rem;color:var(--text);background:transparent;border:1px solid var(--line);\
            border-radius:.25rem;padding:.2rem .6rem;max-width:100%}
            input[type=number]{width:4.5rem}
            button{cursor:pointer;color:var(--link)}
            button:hover,button:focus{border-color:var(--link)}
            .down{color:var(--soft)}
            td form:last-child{margin-right:0}
            @media(max-width:48rem){
            .wide thead{display:none}
            .wide tr{display:block;border-bottom:1px solid var(--line);padding:.5rem 0}
            .wide td{display:block;border:0;padding:.1rem 0;text-align:left;white-space:normal;overflow-wrap:anywhere}
            .wide td[data-label]::before{content:attr(data-label) ": ";color:var(--soft);font-size:.875rem}
            form.block label,form.block input:not([type=checkbox]){width:100%}
            }
            """;

    private static final String POLICY = Page.SECURITY_POLICY
            .replace("style-src ", "style-src 'sha256-" + hash(STYLE) + "' ")
            .replace("form-action 'none'", "form-action 'self'");

    private final Page page;

    ManagerPage(String title, HttpServletRequest request, HttpServletResponse response) {
        page = Page.titled(title).markup("<style>" + STYLE + "</style>\n");
        page.markup("<nav>");
        link(response.encodeURL(request.getContextPath() + "/html"), "Applications");
        link(request.getContextPath() + "/status", "Server");
        link(request.getContextPath() + "/status/all", "Server and applications");
        page.markup("</nav>\n<h1>").text(title).markup("</h1>\n");
    }

    private static String hash(String text) {
        return Base64.getEncoder().encodeToString(Digests.sha256(text));
    }

    /** Sets the fields that a response with such a page has. */
    static void protect(HttpServletResponse response) {
        response.setContentType(Page.CONTENT_TYPE);
        response.setHeader(Page.POLICY_FIELD, POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
    }

    ManagerPage markup(String html) {
        page.markup(html);
        return this;
    }

    ManagerPage text(String plain) {
        page.text(plain);
        return this;
    }

    ManagerPage link(String target, String text) {
        page.markup("<a href=\"").text(target).markup("\">").text(text).markup("</a>");
        return this;
    }

    ManagerPage heading(String text) {
        page.markup("<h2>").text(text).markup("</h2>\n");
        return this;
    }

    /** Begins a table that fits into a narrow window; a column whose name ends with {@code #} has numbers. */
    ManagerPage table(List<String> columns) {
        page.markup("<table class=\"wide\"><thead><tr>");
        for (String column : columns) {
            boolean number = column.endsWith("#");
            page.markup(number ? "<th class=\"number\">" : "<th>")
                    .text(number ? column.substring(0, column.length() - 1) : column)
                    .markup("</th>");
        }
        page.markup("</tr></thead><tbody>\n");
        return this;
    }

    /** Adds a row of texts to a table with these columns. */
    ManagerPage row(List<String> columns, Object... cells) {
        page.markup("<tr>");
        for (int i = 0; i < cells.length; i++) {
            cell(columns.get(i)).text(String.valueOf(cells[i]));
        }
        page.markup("</tr>\n");
        return this;
    }

    ManagerPage endTable() {
        page.markup("</tbody></table>\n");
        return this;
    }

    /** Begins a cell; the next one, or the end of the row, ends it. */
    ManagerPage cell(String column) {
        boolean number = column.endsWith("#");
        page.markup(number ? "<td class=\"number\" data-label=\"" : "<td data-label=\"")
                .text(number ? column.substring(0, column.length() - 1) : column)
                .markup("\">");
        return this;
    }

    String end() {
        return page.end();
    }
}
