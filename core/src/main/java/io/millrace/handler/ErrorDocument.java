package io.millrace.handler;

import io.millrace.exchange.FailureReference;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error response: a page, JSON or text, whichever its {@code Accept} field prefers (RFC 9110, 12.5.1). It
 * names the {@link FailureReference}, if something was logged.
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
     * What answers this request, as the {@link ErrorReport} says that it met.
     *
     * @param message what went wrong, for the client's eyes; escaped here. Null: what the status means
     * @param thrown what the application threw, shown only where an ErrorReport shows details; null if it threw nothing
     */
    public static ErrorDocument of(
            HttpExchange exchange, int status, @Nullable String message, @Nullable Throwable thrown) {
        ErrorReport report = exchange.attributes().get(ErrorReport.KEY);
        String reference = FailureReference.of(exchange);
        if (report == null) {
            String said = message == null ? StatusMeaning.sentence(status) : message;
            return negotiated(exchange, new ErrorContent(status, said, null, reference, null, null));
        }
        byte[] file = report.file(status, thrown);
        if (file != null) {
            return new ErrorDocument(Page.CONTENT_TYPE, file.clone(), false, false);
        }
        ErrorContent content = ErrorContent.of(report, status, message, thrown, reference);
        return report.isJson() ? rendered(ErrorForm.JSON, content, false) : negotiated(exchange, content);
    }

    private static ErrorDocument negotiated(HttpExchange exchange, ErrorContent content) {
        return rendered(ErrorForm.preferred(exchange.request().headers().get("Accept")), content, true);
    }

    private static ErrorDocument rendered(ErrorForm form, ErrorContent content, boolean dependsOnAccept) {
        byte[] body = form.render(content).getBytes(StandardCharsets.UTF_8);
        return new ErrorDocument(form.contentType(), body, dependsOnAccept, form == ErrorForm.HTML);
    }

    /** For the field {@code Content-Type}. */
    public String contentType() {
        return contentType;
    }

    /** The caller's own. */
    public byte[] body() {
        return body;
    }

    /** Adds what such a response has to say beside its type: what it depends on, and what a page may do. */
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
