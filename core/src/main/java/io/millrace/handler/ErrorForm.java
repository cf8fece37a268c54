package io.millrace.handler;

import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The formats of an error response. Messages are untrusted, and are escaped. */
enum ErrorForm {
    TEXT("text/plain;charset=utf-8", "text/plain") {
        @Override
        String render(ErrorContent content) {
            StringBuilder text = new StringBuilder();
            text.append(content.status()).append(' ').append(content.message()).append('\n');
            line(text, "", content.description());
            line(text, "Reference: ", content.reference());
            line(text, "Request: ", content.request());
            line(text, "\n", content.trace());
            line(text, "\n", content.server());
            return text.toString();
        }

        private void line(StringBuilder text, String label, @Nullable String value) {
            if (value != null) {
                text.append(label).append(value).append('\n');
            }
        }
    },
    HTML(Page.CONTENT_TYPE, "text/html") {
        @Override
        String render(ErrorContent content) {
            String meaning = StatusMeaning.title(content.status());
            Page page = Page.titled(content.status() + " " + meaning)
                    .markup("<h1><span>" + content.status() + "</span> ")
                    .text(meaning)
                    .markup("</h1>\n");
            element(page, "<p>", content.message(), "</p>\n");
            element(page, "<p>", content.description(), "</p>\n");
            element(
                    page,
                    "<p class=\"soft\">If you report this, please quote the reference <code>",
                    content.reference(),
                    "</code>.</p>\n");
            element(page, "<p class=\"soft\">Request <code>", content.request(), "</code></p>\n");
            element(page, "<pre>", content.trace(), "</pre>\n");
            element(page, "<footer>", content.server(), "</footer>\n");
            return page.end();
        }

        private void element(Page page, String start, @Nullable String text, String end) {
            if (text != null) {
                page.markup(start).text(text).markup(end);
            }
        }
    },
    JSON("application/json", "json") {
        @Override
        String render(ErrorContent content) {
            StringBuilder json = new StringBuilder();
            json.append("{\"status\":").append(content.status());
            member(json, "message", content.message());
            member(json, "description", content.description());
            member(json, "reference", content.reference());
            member(json, "request", content.request());
            if (content.trace() != null) {
                json.append(",\"throwable\":[")
                        .append(content.trace().lines().map(Json::quote).collect(Collectors.joining(",")))
                        .append(']');
            }
            member(json, "server", content.server());
            return json.append("}\n").toString();
        }

        private void member(StringBuilder json, String name, @Nullable String value) {
            if (value != null) {
                json.append(",\"").append(name).append("\":").append(Json.quote(value));
            }
        }
    };

    private final String contentType;
    /** What an Accept field contains that asks for it. */
    private final String mark;

    ErrorForm(String contentType, String mark) {
        this.contentType = contentType;
        this.mark = mark;
    }

    String contentType() {
        return contentType;
    }

    abstract String render(ErrorContent content);

    /** The format that the client asks for; HTML otherwise, as the Javadoc of {@code HttpServletResponse.sendError} has it. */
    static ErrorForm preferred(@Nullable String accept) {
        ErrorForm asked = asked(accept);
        return asked == null ? HTML : asked;
    }

    /**
     * The format that an Accept field names first; null if it names none. Quality values are ignored: a client that lists JSON
     * before HTML is a program, one that lists HTML is a browser.
     */
    static @Nullable ErrorForm asked(@Nullable String accept) {
        String types = accept == null ? "" : accept.toLowerCase(Locale.ROOT);
        return Stream.of(HTML, JSON, TEXT)
                .filter(form -> types.contains(form.mark))
                .min(Comparator.comparingInt(form -> types.indexOf(form.mark)))
                .orElse(null);
    }
}
