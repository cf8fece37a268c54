package io.millrace.handler;

import io.millrace.exchange.FailureReference;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.RequestId;
import io.millrace.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
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
}
