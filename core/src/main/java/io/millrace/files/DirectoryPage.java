package io.millrace.files;

import io.millrace.handler.Page;
import io.millrace.http.HttpDates;
import io.millrace.text.SizeText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory listing as an HTML page in UTF-8. File names are untrusted: all text is escaped. */
public final class DirectoryPage {

    private final String path;
    private final boolean hasParent;
    private final DirectoryOrder order;
    private boolean sortable = true;
    private @Nullable String readme;
    private @Nullable String server;

    /**
     * A listing.
     *
     * @param path the title: decoded, with a trailing slash
     * @param hasParent whether to link to the parent directory
     * @param order the order of the files
     */
    public DirectoryPage(String path, boolean hasParent, DirectoryOrder order) {
        this.path = path;
        this.hasParent = hasParent;
        this.order = order;
    }

    /** Whether the headings are links that change the order. Default: true. */
    public DirectoryPage sortable(boolean value) {
        sortable = value;
        return this;
    }

    /** HTML that is added below the list without escaping. */
    public DirectoryPage readme(@Nullable String html) {
        readme = html;
        return this;
    }

    /** The description of the server in the footer. */
    public DirectoryPage server(@Nullable String text) {
        server = text;
        return this;
    }

    /** Renders the page. */
    public String render(List<? extends ServedFile> files) {
        List<ServedFile> sorted = new ArrayList<>(files);
        sorted.sort(order.comparator());
        String title = "Directory of " + path;
        Page page = Page.titled(title).markup("<h1>").text(title).markup("</h1>\n<table><thead><tr>");
        heading(page, DirectoryOrder.Column.NAME, "Name", "");
        heading(page, DirectoryOrder.Column.SIZE, "Size", " class=\"number\"");
        heading(page, DirectoryOrder.Column.MODIFIED, "Last modified", "");
        page.markup("</tr></thead><tbody>\n");
        if (hasParent) {
            page.markup("<tr><td><a href=\"../\">Parent directory</a></td><td></td><td></td></tr>\n");
        }
        for (ServedFile file : sorted) {
            row(page, file);
        }
        page.markup("</tbody></table>\n");
        if (readme != null) {
            page.markup("<section>\n").markup(readme).markup("\n</section>\n");
        }
        if (server != null) {
            page.markup("<footer>").text(server).markup("</footer>\n");
        }
        return page.end();
    }

    private void heading(Page page, DirectoryOrder.Column column, String text, String attributes) {
        page.markup("<th").markup(attributes);
        if (order.column() == column) {
            page.markup(order.descending() ? " aria-sort=\"descending\"" : " aria-sort=\"ascending\"");
        }
        if (sortable) {
            page.markup("><a href=\"").text(order.query(column)).markup("\">");
        } else {
            page.markup(">");
        }
        page.text(text).markup(sortable ? "</a></th>" : "</th>");
    }

    private static void row(Page page, ServedFile file) {
        String name = file.isDirectory() ? file.name() + "/" : file.name();
        page.markup("<tr><td><a href=\"")
                .text(link(name))
                .markup("\">")
                .text(name)
                .markup("</a></td><td class=\"number\">")
                .markup(file.isDirectory() ? "" : SizeText.of(file.length()))
                .markup("</td><td class=\"time\">")
                .markup(HttpDates.format(file.lastModified()))
                .markup("</td></tr>\n");
    }

    /** Relative; the leading dot prevents a name with a colon from being parsed as a scheme. */
    private static String link(String name) {
        try {
            return "./" + new URI(null, null, "/" + name, null).toASCIIString().substring(1);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the file name cannot be written as a URI: " + name, e);
        }
    }
}
