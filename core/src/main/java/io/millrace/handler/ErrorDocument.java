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

    private final ErrorForm form;
    private final byte[] body;

    private ErrorDocument(ErrorForm form, byte[] body) {
        this.form = form;
        this.body = body;
    }

    /**
     * What answers this request.
     *
     * @param message what went wrong, for the client's eyes; escaped here. Null: what the status means
     */
    public static ErrorDocument of(HttpExchange exchange, int status, @Nullable String message) {
        ErrorForm form = ErrorForm.preferred(exchange.request().headers().get("Accept"));
        String said = message == null ? StatusMeaning.sentence(status) : message;
        String text = form.render(status, said, FailureReference.of(exchange));
        return new ErrorDocument(form, text.getBytes(StandardCharsets.UTF_8));
    }

    /** For the field {@code Content-Type}. */
    public String contentType() {
        return form.contentType();
    }

    /** In UTF-8; the caller's own. */
    public byte[] body() {
        return body;
    }

    /** Adds what such a response has to say beside its type: what it depends on, and what a page may do. */
    public void describe(Headers headers) {
        if (headers.all("Vary").stream().noneMatch(ErrorDocument::namesAccept)) {
            headers.add("Vary", "Accept");
        }
        if (form == ErrorForm.HTML) {
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
