package io.millrace.servlet.request;

import io.millrace.http.HttpDates;
import io.millrace.http.ResponseHead;
import io.millrace.servlet.app.AppView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Locale;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The Servlet API's status and header fields of a response. Setting them has no effect once the response is committed, nor in an
 * include (Servlet 3.1, 9.3). Confined to the exchange's owner.
 */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
abstract class ResponseHeadView implements HttpServletResponse {

    private final ResponseFields fields;

    ResponseHeadView(AppView app, ResponseHead head) {
        this.fields = new ResponseFields(app, head);
    }

    // For the container.

    final ResponseHead head() {
        return fields.head();
    }

    final ResponseFields fields() {
        return fields;
    }

    /** True if the head can't be changed; also after sendError and sendRedirect (Servlet 3.1, 5.4). */
    abstract boolean isFixed();

    // Status.

    @Override
    public final void setStatus(int status) {
        if (!isFixed()) {
            head().status(status).reason(null);
        }
    }

    @Override
    @Deprecated
    public final void setStatus(int status, @Nullable String message) {
        setStatus(status);
    }

    @Override
    public final int getStatus() {
        return head().status();
    }

    // Header fields.

    @Override
    public final boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public final @Nullable String getHeader(String name) {
        return fields.get(name);
    }

    @Override
    public final Collection<String> getHeaders(String name) {
        return new ArrayList<>(fields.all(name)); // the caller may modify it
    }

    @Override
    public final Collection<String> getHeaderNames() {
        return fields.names();
    }

    @Override
    public final void setHeader(String name, @Nullable String value) {
        if (!isFixed()) {
            fields.set(name, value);
        }
    }

    @Override
    public final void addHeader(String name, @Nullable String value) {
        if (!isFixed()) {
            fields.add(name, value);
        }
    }

    @Override
    public final void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public final void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public final void setDateHeader(String name, long millis) {
        setHeader(name, HttpDates.format(millis));
    }

    @Override
    public final void addDateHeader(String name, long millis) {
        addHeader(name, HttpDates.format(millis));
    }

    @Override
    public final void addCookie(Cookie cookie) {
        if (!isFixed()) {
            fields.add(cookie);
        }
    }

    // Content type, encoding, locale, length.

    @Override
    public final void setContentType(@Nullable String type) {
        if (!isFixed()) {
            fields.contentType(type);
        }
    }

    @Override
    public final @Nullable String getContentType() {
        return fields.contentType();
    }

    @Override
    public final void setCharacterEncoding(@Nullable String charset) {
        if (!isFixed()) {
            fields.charset(charset);
        }
    }

    @Override
    public final String getCharacterEncoding() {
        return fields.charset();
    }

    @Override
    public final void setLocale(@Nullable Locale locale) {
        if (!isFixed() && locale != null) {
            fields.locale(locale);
        }
    }

    @Override
    public final Locale getLocale() {
        return fields.locale();
    }

    @Override
    public final void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public final void setContentLengthLong(long length) {
        if (!isFixed()) {
            fields.contentLength(length);
        }
    }
}
