package io.millrace.handler;

import io.millrace.exchange.FailureReference;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.RequestId;
import io.millrace.http.Headers;
import io.millrace.http.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error response: HTML, JSON or text, by the request's {@code Accept} field (RFC 9110, 12.5.1). It shows
 * the {@link FailureReference}, if the failure was logged, and the {@link RequestId}, if requests have ids.
 */
public final class ErrorDocument {

    private final String contentType;
    private final byte[] body;
    private final boolean dependsOnAccept;
    private final boolean isOwnPage;

    private ErrorDocument(String contentType, byte[] body, boolean dependsOnAccept, boolean isOwnPage) {
        this.contentType = contentType;
        this.body = body;
        this.dependsOnAccept = dependsOnAccept;
        this.isOwnPage = isOwnPage;
    }

    /**
     * The document for a request, according to its {@link ErrorReport}.
     *
     * @param message a message for the client, which is escaped here; null for the meaning of the status
     * @param thrown the application's exception, which is shown only if an ErrorReport enables details; null if there is
     *     none
     */
    public static ErrorDocument of(
            HttpExchange exchange, int status, @Nullable String message, @Nullable Throwable thrown) {
        ErrorReport report = exchange.attribute(ErrorReport.KEY);
        String reference = FailureReference.of(exchange);
        RequestId id = RequestId.of(exchange);
        String request = id == null ? null : id.value();
        if (report == null) {
            String text = message == null ? StatusMeaning.sentence(status) : message;
            return negotiated(exchange, new ErrorContent(status, text, null, reference, request, null, null));
        }
        byte[] file = report.file(status, thrown);
        if (file != null) {
            return new ErrorDocument(Page.CONTENT_TYPE, file.clone(), false, false);
        }
        ErrorContent content = ErrorContent.of(report, status, message, thrown, reference, request);
        return report.isJson() ? rendered(ErrorForm.JSON, content, false) : negotiated(exchange, content);
    }

    /** Whether the request's {@code Accept} field asks for HTML before text and JSON, as those of browsers do. */
    public static boolean isHtmlAskedFor(HttpExchange exchange) {
        return ErrorForm.asked(exchange.request().headers().get("Accept")) == ErrorForm.HTML;
    }

    private static ErrorDocument negotiated(HttpExchange exchange, ErrorContent content) {
        return rendered(ErrorForm.preferred(exchange.request().headers().get("Accept")), content, true);
    }

    private static ErrorDocument rendered(ErrorForm form, ErrorContent content, boolean dependsOnAccept) {
        byte[] body = form.render(content).getBytes(StandardCharsets.UTF_8);
        return new ErrorDocument(form.contentType(), body, dependsOnAccept, form == ErrorForm.HTML);
    }

    /** The value of the field {@code Content-Type}. */
    public String contentType() {
        return contentType;
    }

    /** The bytes, owned by the caller. */
    public byte[] body() {
        return body;
    }

    /** Adds the header fields of the response, except its type: Vary, and the security policy of a page. */
    public void describe(Headers headers) {
        if (dependsOnAccept && headers.all("Vary").stream().noneMatch(ErrorDocument::namesAccept)) {
            headers.add("Vary", "Accept");
        }
        if (isOwnPage) {
            Page.protect(headers);
        }
    }

    private static boolean namesAccept(String vary) {
        for (String name : vary.toLowerCase(Locale.ROOT).split(",", -1)) {
            if (name.trim().equals("accept") || name.trim().equals("*")) {
                return true;
            }
        }
        return false;
    }

    /** The formats of an error response. Messages are untrusted, and are escaped. */
    private enum ErrorForm {
        TEXT("text/plain;charset=utf-8", "text/plain") {
            @Override
            String render(ErrorContent content) {
                StringBuilder text = new StringBuilder();
                text.append(content.status())
                        .append(' ')
                        .append(content.message())
                        .append('\n');
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

    /**
     * The content of an error response, independent of its format.
     *
     * @param description the meaning of the status; null if the message is that
     * @param reference identifies the failure in the log; null if it was not logged
     * @param request the id of the request; null unless requests have ids
     * @param trace the stack trace; null unless details are enabled
     * @param server the server's name; null to omit it
     */
    private record ErrorContent(
            int status,
            String message,
            @Nullable String description,
            @Nullable String reference,
            @Nullable String request,
            @Nullable String trace,
            @Nullable String server) {

        /** The content that the report permits. */
        static ErrorContent of(
                ErrorReport report,
                int status,
                @Nullable String message,
                @Nullable Throwable thrown,
                @Nullable String reference,
                @Nullable String request) {
            String meaning = StatusMeaning.sentence(status);
            if (!report.showsDetails()) {
                return new ErrorContent(status, meaning, null, reference, request, null, report.server());
            }
            String shown = message != null || thrown == null ? message : StackText.message(thrown);
            return new ErrorContent(
                    status,
                    shown == null ? meaning : shown,
                    shown == null ? null : meaning,
                    reference,
                    request,
                    thrown == null ? null : StackText.of(thrown),
                    report.server());
        }

        /** Formats throwables. If a method of an application's throwable throws, its text is omitted. */
        private static final class StackText {

            /** In characters. The trace of a stack overflow has thousands of frames. */
            private static final int LIMIT = 32_768;

            private StackText() {}

            /** The stack trace with causes. */
            static String of(Throwable thrown) {
                StringWriter text = new StringWriter();
                try (PrintWriter writer = new PrintWriter(text)) {
                    thrown.printStackTrace(writer);
                } catch (RuntimeException broken) {
                    return thrown.getClass().getName();
                }
                StringBuffer all = text.getBuffer();
                return (all.length() > LIMIT ? all.substring(0, LIMIT) + "..." : all.toString())
                        .replace("\r\n", "\n")
                        .stripTrailing();
            }

            /** The first line of the message; null if there is none. */
            static @Nullable String message(Throwable thrown) {
                try {
                    String message = thrown.getMessage();
                    return message == null || message.isBlank()
                            ? null
                            : message.strip().lines().findFirst().orElse(null);
                } catch (RuntimeException broken) {
                    return null;
                }
            }
        }
    }

    /** The meaning of a status, for human readers. */
    private static final class StatusMeaning {

        private StatusMeaning() {}

        /** The reason phrase, or a general term if the status has none. */
        static String title(int status) {
            String reason = Status.reason(status);
            if (!reason.isEmpty()) {
                return reason;
            }
            return status < 400 ? "Status" : status < 500 ? "Request Error" : "Server Error";
        }

        /** In a sentence. */
        static String sentence(int status) {
            return switch (status) {
                case 400 -> "The server could not understand this request.";
                case 401 -> "This needs authentication.";
                case 403 -> "Access to this is not allowed.";
                case 404 -> "There is nothing here.";
                case 405 -> "This does not support the method of the request.";
                case 408 -> "The request took too long to arrive.";
                case 413 -> "The body of the request is too large.";
                case 414 -> "The address of the request is too long.";
                case 417 -> "The expectation of the request can't be met.";
                case 431 -> "The header of the request is too large.";
                case 500 -> "The server failed to answer this request.";
                case 501 -> "The server does not support what the request asks for.";
                case 502 -> "The server behind this one gave no valid answer.";
                case 503 -> "The server can't answer right now. Please try again later.";
                case 504 -> "The server behind this one gave no answer in time.";
                case 505 -> "The server does not support this version of HTTP.";
                default -> status < 500 ? "The request can't be served." : "The server failed to answer this request.";
            };
        }
    }
}
