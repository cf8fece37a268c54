package io.millrace.servlet.request;

import io.millrace.http.Headers;
import io.millrace.http.HttpDates;
import io.millrace.http.ResponseHead;
import io.millrace.servlet.app.AppView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    /** Whether the head can't be changed; also after sendError and sendRedirect (Servlet 3.1, 5.4). */
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

    /**
     * A response's header fields as the application sets them, including those of its content (Servlet 3.1, 5.2 and 5.5). Writes
     * directly to the exchange's head; the caller checks whether that may still change. Confined to the exchange's owner.
     */
    static final class ResponseFields {

        private static final String CONTENT_TYPE = "Content-Type";
        private static final String CONTENT_LENGTH = "Content-Length";

        private static final String DEFAULT_CHARSET = "ISO-8859-1";

        /** The fields that describe a body, and are removed with it. */
        private static final List<String> CONTENT_FIELDS = List.of(
                CONTENT_TYPE, "Content-Encoding", "Content-Range", "Content-Disposition", "ETag", "Last-Modified");

        private final AppView app;
        private final ResponseHead head;
        /** The content type without the charset. It, the charset and the locale depend on each other (Servlet 3.1, 5.5). */
        private @Nullable String type;
        /** The value of Content-Type; null if it has to be assembled again. */
        private @Nullable String typeField;
        /** As set, by any API method. */
        private @Nullable String charset;
        /** Whether the charset was set explicitly, so that setLocale no longer changes it. */
        private boolean charsetExplicit;
        /** True once the writer was created. */
        private boolean charsetFixed;

        private @Nullable Locale locale;

        ResponseFields(AppView app, ResponseHead head) {
            this.app = app;
            this.head = head;
        }

        ResponseHead head() {
            return head;
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

        void contentType(@Nullable String value) {
            typeField = null;
            if (value == null) {
                type = null;
                if (!charsetFixed) {
                    useCharset(null);
                }
            } else {
                ParsedType parsed = ParsedType.of(value);
                type = parsed.type;
                if (parsed.charset != null && !charsetFixed) {
                    useCharset(parsed.charset);
                    typeField = parsed.field;
                }
            }
            writeContentType();
        }

        /** The value of Content-Type; null if no type is set. */
        @Nullable
        String contentType() {
            String known = typeField;
            String bare = type;
            if (known == null && bare != null) {
                known = ParsedType.field(bare, charset);
                typeField = known;
            }
            return known;
        }

        void charset(@Nullable String name) {
            if (!charsetFixed) {
                useCharset(name);
                writeContentType();
            }
        }

        private void useCharset(@Nullable String name) {
            typeField = null;
            charset = name;
            charsetExplicit = name != null;
        }

        /** The charset that was set, else the application's default, else ISO-8859-1. */
        String charset() {
            String known = charset != null ? charset : app.servletContext().getResponseCharacterEncoding();
            return known == null ? DEFAULT_CHARSET : known;
        }

        /** Fixes the charset of the new writer, and sets it in the Content-Type unless the head is fixed. */
        void fixCharset(String name, boolean visible) {
            charsetFixed = true;
            if (visible) {
                if (charset == null) {
                    typeField = null;
                    charset = name;
                }
                writeContentType();
            }
        }

        void locale(Locale value) {
            locale = value;
            Map<String, String> encodings = app.settings().model().localeEncodings;
            String encoding = encodings.get(value.toString());
            if (encoding == null) {
                encoding = encodings.get(value.toLanguageTag());
            }
            if (encoding == null) {
                encoding = encodings.get(value.getLanguage());
            }
            if (encoding != null && !charsetExplicit && !charsetFixed) {
                typeField = null;
                charset = encoding;
            }
            head.headers().set("Content-Language", value.toLanguageTag());
            writeContentType();
        }

        Locale locale() {
            return locale != null ? locale : Locale.getDefault();
        }

        /** Allows changes again after the writer was discarded. */
        void releaseCharset() {
            charsetFixed = false;
        }

        /** Removes the fields of a body that will not be sent, except for the Content-Range of a 416. */
        void removeContent() {
            forgetType();
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
            forgetType();
            head.contentLength(-1).headers().clear();
        }

        private void forgetType() {
            type = null;
            useCharset(null);
            locale = null;
        }

        private void writeContentType() {
            Headers headers = head.headers();
            String field = contentType();
            if (field == null) {
                headers.remove(CONTENT_TYPE);
            } else {
                headers.set(CONTENT_TYPE, HeaderText.value(field));
            }
        }

        /**
         * A parsed Content-Type. Cached, because applications set few different ones.
         *
         * @param type without the charset
         * @param charset null if there is none
         * @param field the normalized value
         */
        record ParsedType(String type, @Nullable String charset, String field) {

            /** Bounds the cache: an application may generate types. */
            private static final int MOST = 64;

            private static final Map<String, ParsedType> KNOWN = new ConcurrentHashMap<>();

            static ParsedType of(String value) {
                ParsedType known = KNOWN.get(value);
                if (known != null) {
                    return known;
                }
                String named = MediaType.lastCharset(value);
                String bare = MediaType.withoutCharset(value);
                ParsedType parsed = new ParsedType(bare, named, field(bare, named));
                if (KNOWN.size() < MOST) {
                    KNOWN.put(value, parsed);
                }
                return parsed;
            }

            /** With the charset, unless its name would need quotes: no charset has such a name. */
            static String field(String type, @Nullable String charset) {
                boolean shown = charset != null
                        && !charset.isEmpty()
                        && charset.chars().allMatch(c -> c > ' ' && c < 0x7f && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0);
                return shown ? type + ";charset=" + charset : type;
            }
        }
    }
}
