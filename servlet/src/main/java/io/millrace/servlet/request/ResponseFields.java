package io.millrace.servlet.request;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.servlet.app.AppView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * A response's header fields as the application sets them, including those of its content (Servlet 3.1, 5.2 and 5.5). Writes
 * directly to the exchange's head; the caller checks whether that may still change. Confined to the exchange's owner.
 */
final class ResponseFields {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final String CONTENT_LENGTH = "Content-Length";

    private static final String DEFAULT_CHARSET = "ISO-8859-1";

    /** The fields that describe a body, and are removed with it. */
    private static final List<String> CONTENT_FIELDS =
            List.of(CONTENT_TYPE, "Content-Encoding", "Content-Range", "Content-Disposition", "ETag", "Last-Modified");

    private final AppView app;
    private final ResponseHead head;
    private @Nullable ContentTypeState content;
    /** True once the writer was created. */
    private boolean charsetFixed;

    ResponseFields(AppView app, ResponseHead head) {
        this.app = app;
        this.head = head;
    }

    @Nullable
    String get(String name) {
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            return head.contentLength() < 0 ? null : Long.toString(head.contentLength());
        }
        return head.headers().get(name);
    }

    Collection<String> all(String name) {
        if (name.equalsIgnoreCase(CONTENT_LENGTH) && head.contentLength() >= 0) {
            return List.of(Long.toString(head.contentLength()));
        }
        return head.headers().all(name);
    }

    Collection<String> names() {
        Collection<String> names = new ArrayList<>(head.headers().names());
        if (head.contentLength() >= 0) {
            names.add(CONTENT_LENGTH);
        }
        return names;
    }

    /** Null removes it. */
    void set(@Nullable String name, @Nullable String value) {
        if (name == null || isIgnored(name)) {
            return;
        }
        if (value == null) {
            head.headers().remove(name);
        } else if (!setsContent(name, value)) {
            head.headers().set(name, HeaderText.value(value));
        }
    }

    void add(@Nullable String name, @Nullable String value) {
        if (name != null && value != null && !isIgnored(name) && !setsContent(name, value)) {
            head.headers().add(name, HeaderText.value(value));
        }
    }

    /** The protocol sets the framing; a name that is not a token can't be sent. */
    private static boolean isIgnored(String name) {
        return !HeaderText.isName(name) || name.equalsIgnoreCase("Transfer-Encoding");
    }

    /** True for the fields that have a method of their own. */
    private boolean setsContent(String name, String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            contentType(value);
            return true;
        }
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            try {
                contentLength(Long.parseLong(value.trim()));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("Content-Length \"" + value + "\" is not a number", e);
            }
            return true;
        }
        return false;
    }

    void add(Cookie cookie) {
        head.headers().add("Set-Cookie", app.cookieWriter().write(cookie));
    }

    void contentLength(long length) {
        head.contentLength(Math.max(-1, length));
    }

    void contentType(@Nullable String type) {
        content().type(type, charsetFixed);
        writeContentType();
    }

    @Nullable
    String contentType() {
        return content == null ? null : content.field();
    }

    void charset(@Nullable String charset) {
        if (!charsetFixed) {
            content().charset(charset);
            writeContentType();
        }
    }

    /** The charset that was set, else the application's default, else ISO-8859-1. */
    String charset() {
        String charset = content == null ? null : content.charset();
        if (charset == null) {
            charset = app.servletContext().getResponseCharacterEncoding();
        }
        return charset == null ? DEFAULT_CHARSET : charset;
    }

    /** Fixes the charset of the new writer, and sets it in the Content-Type unless the head is fixed. */
    void fixCharset(String name, boolean visible) {
        charsetFixed = true;
        if (visible) {
            content().fix(name);
            writeContentType();
        }
    }

    void locale(Locale locale) {
        content().locale(locale, app.settings().model().localeEncodings, charsetFixed);
        head.headers().set("Content-Language", locale.toLanguageTag());
        writeContentType();
    }

    Locale locale() {
        Locale locale = content == null ? null : content.locale();
        return locale != null ? locale : Locale.getDefault();
    }

    /** Allows changes again after the writer was discarded. */
    void releaseCharset() {
        charsetFixed = false;
    }

    /** Removes the fields of a body that will not be sent, except for the Content-Range of a 416. */
    void removeContent() {
        content = null;
        head.contentLength(-1);
        Headers headers = head.headers();
        String range = headers.get("Content-Range");
        CONTENT_FIELDS.forEach(headers::remove);
        if (range != null && range.startsWith("bytes */")) {
            headers.add("Content-Range", range);
        }
    }

    /** Removes all fields. */
    void clear() {
        content = null;
        head.contentLength(-1).headers().clear();
    }

    private ContentTypeState content() {
        if (content == null) {
            content = new ContentTypeState();
        }
        return content;
    }

    private void writeContentType() {
        Headers headers = head.headers();
        String field = content().field();
        if (field == null) {
            headers.remove(CONTENT_TYPE);
        } else {
            headers.set(CONTENT_TYPE, HeaderText.value(field));
        }
    }
}
