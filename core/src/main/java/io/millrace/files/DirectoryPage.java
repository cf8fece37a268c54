package io.millrace.files;

import io.millrace.http.HttpDates;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A directory as an HTML page in UTF-8. Names of files are anybody's: all text is escaped. */
public final class DirectoryPage {

    private final String path;
    private final boolean hasParent;
    private final DirectoryOrder order;
    private boolean sortable = true;
    private @Nullable String readme;
    private @Nullable String server;

    /**
     * A page.
     *
     * @param path decoded, with its final slash: the title
     * @param hasParent is there a directory above to be seen?
     */
    public DirectoryPage(String path, boolean hasParent, DirectoryOrder order) {
        this.path = path;
        this.hasParent = hasParent;
        this.order = order;
    }

    /** Whether the headings are links that sort it; true otherwise. */
    public DirectoryPage sortable(boolean value) {
        sortable = value;
        return this;
    }

    /** HTML that stands below the list, as it is. */
    public DirectoryPage readme(@Nullable String html) {
        readme = html;
        return this;
    }

    /** What the foot of the page says of the server. */
    public DirectoryPage server(@Nullable String text) {
        server = text;
        return this;
    }

    /** The page with these files. */
    public String render(List<? extends ServedFile> files) {
        List<ServedFile> sorted = new ArrayList<>(files);
        sorted.sort(order.comparator());
        StringBuilder page = new StringBuilder(1024 + 160 * sorted.size());
        String title = escaped("Directory of " + path);
        page.append("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>")
                .append(title)
                .append("</title>\n<style>body{font-family:sans-serif}td,th{text-align:left;padding:0 2em 0 0}"
                        + "td.n{text-align:right}</style></head>\n<body><h1>")
                .append(title)
                .append("</h1>\n<table><tr>");
        heading(page, DirectoryOrder.Column.NAME, "Name");
        heading(page, DirectoryOrder.Column.SIZE, "Size");
        heading(page, DirectoryOrder.Column.MODIFIED, "Last modified");
        page.append("</tr>\n");
        if (hasParent) {
            page.append("<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n");
        }
        for (ServedFile file : sorted) {
            row(page, file);
        }
        page.append("</table>\n");
        if (readme != null) {
            page.append("<hr>\n").append(readme).append('\n');
        }
        if (server != null) {
            page.append("<hr><p>").append(escaped(server)).append("</p>\n");
        }
        return page.append("</body></html>\n").toString();
    }

    private void heading(StringBuilder page, DirectoryOrder.Column column, String text) {
        page.append("<th>");
        if (sortable) {
            page.append("<a href=\"").append(order.query(column)).append("\">");
        }
        page.append(text).append(sortable ? "</a></th>" : "</th>");
    }

    private static void row(StringBuilder page, ServedFile file) {
        String name = file.isDirectory() ? file.name() + "/" : file.name();
        page.append("<tr><td><a href=\"")
                .append(escaped(link(name)))
                .append("\">")
                .append(escaped(name))
                .append("</a></td><td class=\"n\">")
                .append(file.isDirectory() ? "" : size(file.length()))
                .append("</td><td>")
                .append(HttpDates.format(file.lastModified()))
                .append("</td></tr>\n");
    }

    /** Relative; the dot keeps a name with a colon from being a scheme. */
    private static String link(String name) {
        try {
            return "./" + new URI(null, null, "/" + name, null).toASCIIString().substring(1);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a name without a URI: " + name, e);
        }
    }

    private static String size(long bytes) {
        return bytes < 1024 ? bytes + " B" : String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
