package io.millrace.servlet.webdav;

import io.millrace.http.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import javax.servlet.http.HttpServletResponse;

/** Writes a multi-status response (207; RFC 4918, 13), one resource after the other. */
final class MultiStatus {

    static final int STATUS = 207;
    static final int UNPROCESSABLE = 422;
    static final int LOCKED = 423;
    static final int FAILED_DEPENDENCY = 424;
    static final int INSUFFICIENT_STORAGE = 507;

    private static final String XML = "application/xml; charset=utf-8";

    private static final String PROLOG = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

    private final PrintWriter out;

    MultiStatus(HttpServletResponse response) throws IOException {
        response.setStatus(STATUS);
        response.setContentType(XML);
        out = response.getWriter();
        out.write(PROLOG + "<D:multistatus xmlns:D=\"DAV:\">\n");
    }

    /** Writes the status of a resource. */
    void resource(String href, int status) {
        out.write("<D:response>" + href(href) + status(status) + "</D:response>\n");
    }

    /**
     * Writes properties of a resource.
     *
     * @param statuses the groups; empty ones are omitted, unless there are no others
     */
    void properties(String href, List<PropertyStatus> statuses) {
        out.write("<D:response>" + href(href) + "\n");
        for (PropertyStatus each : statuses) {
            if (!each.elements().isEmpty() || statuses.size() == 1) {
                out.write("<D:propstat><D:prop>" + each.elements() + "</D:prop>" + status(each.status()) + each.error()
                        + "</D:propstat>\n");
            }
        }
        out.write("</D:response>\n");
    }

    /**
     * Properties that share a status.
     *
     * @param elements serialized
     * @param error an error element, or empty
     */
    record PropertyStatus(int status, CharSequence elements, String error) {

        PropertyStatus(int status, CharSequence elements) {
            this(status, elements, "");
        }
    }

    void end() {
        out.write("</D:multistatus>\n");
    }

    /** Writes a response of one element in the namespace DAV:. */
    static void element(HttpServletResponse response, int status, String name, String content) throws IOException {
        response.setStatus(status);
        response.setContentType(XML);
        response.getWriter().write(PROLOG + "<D:" + name + " xmlns:D=\"DAV:\">" + content + "</D:" + name + ">\n");
    }

    static String href(String href) {
        return "<D:href>" + escape(href) + "</D:href>";
    }

    private static String status(int status) {
        return "<D:status>HTTP/1.1 " + status + " " + phrase(status) + "</D:status>";
    }

    private static String phrase(int status) {
        return switch (status) {
            case LOCKED -> "Locked";
            case FAILED_DEPENDENCY -> "Failed Dependency";
            case INSUFFICIENT_STORAGE -> "Insufficient Storage";
            default -> Status.reason(status);
        };
    }

    /** Escapes text and attribute values, including line ends, which parsers would normalize. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\t', '\n', '\r' -> out.append("&#").append((int) c).append(';');
                default -> out.append(isXml(c) ? c : '\ufffd');
            }
        }
        return out.toString();
    }

    /** True for characters permitted in XML; file names may have others. */
    private static boolean isXml(char c) {
        return c >= ' ' && c < '\ufffe';
    }
}
