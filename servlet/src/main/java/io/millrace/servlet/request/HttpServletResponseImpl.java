package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.servlet.context.WebAppContext;
import io.millrace.servlet.resource.FileSender;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's response as the Servlet API has it. What is set goes to the exchange's head at once, so that nothing is
 * left to do when it is committed. For the owner of the exchange.
 */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
public final class HttpServletResponseImpl implements HttpServletResponse, FileSender {

    private static final String CONTENT_TYPE = "Content-Type";
    private static final String DEFAULT_CHARSET = "ISO-8859-1";

    private final WebAppContext app;
    private final HttpExchange exchange;
    private final ResponseHead head;
    private final HttpServletRequestImpl request;
    private @Nullable ContentTypeState content;
    private @Nullable ServletOutput output;
    private @Nullable ResponseWriter encoder;
    private @Nullable PrintWriter writer;
    private boolean streamTaken;
    private boolean open = true;
    private int includes;
    private @Nullable PendingError error;

    HttpServletResponseImpl(WebAppContext app, HttpExchange exchange, HttpServletRequestImpl request) {
        this.app = app;
        this.exchange = exchange;
        this.head = exchange.response();
        this.request = request;
    }

    // What the container needs of it.

    HttpServletRequestImpl request() {
        return request;
    }

    /** False once the body is over: by sendError, sendRedirect, close, or the end of a forward. */
    boolean isOpen() {
        return open;
    }

    /** True within an include: the head is not to be changed. */
    boolean isIncluding() {
        return includes > 0;
    }

    public void beginInclude() {
        includes++;
    }

    public void endInclude() {
        includes--;
    }

    /** What sendError asked for; null if it was not called. */
    public @Nullable PendingError error() {
        return error;
    }

    /** The error is being answered now: opens the body for its page. The status stays. */
    public void beginErrorPage(int status) {
        error = null;
        open = true;
        clearBody();
        removeContentFields();
        head.status(status).reason(null);
    }

    /** Makes either stream available again: to an error page, or after a forward's buffer was reset. */
    private void clearBody() {
        exchange.outputStream().reset();
        if (encoder != null) {
            encoder.reset();
        }
        streamTaken = false;
        writer = null;
        encoder = null;
    }

    private void removeContentFields() {
        content = null;
        head.contentLength(-1);
        Headers headers = head.headers();
        headers.remove(CONTENT_TYPE);
        headers.remove("Content-Encoding");
        headers.remove("Content-Range");
        headers.remove("Content-Disposition");
        headers.remove("ETag");
        headers.remove("Last-Modified");
    }

    /** No more output is taken. What was written stays. */
    public void closeBody() throws IOException {
        if (open) {
            drainWriter();
            open = false;
        }
    }

    /** The response can't be ended as it should: the client must see that. */
    public void abort(Throwable cause) {
        exchange.abort(cause);
    }

    private void drainWriter() throws IOException {
        if (encoder != null) {
            encoder.finish();
        }
    }

    private boolean isFixed() {
        return includes > 0 || exchange.isCommitted();
    }

    private void requireUncommitted() {
        if (exchange.isCommitted()) {
            throw new IllegalStateException("the response is committed: its head was sent and can't be changed");
        }
    }

    // Status and redirects.

    @Override
    public void setStatus(int status) {
        if (!isFixed()) {
            head.status(status).reason(null);
        }
    }

    @Override
    @Deprecated
    public void setStatus(int status, @Nullable String message) {
        setStatus(status);
    }

    @Override
    public int getStatus() {
        return head.status();
    }

    @Override
    public void sendError(int status) {
        sendError(status, null);
    }

    /** The page is made once the application has returned; until then whatever else it writes is dropped. */
    @Override
    public void sendError(int status, @Nullable String message) {
        requireUncommitted();
        if (includes > 0) {
            return;
        }
        clearBody();
        head.status(status).reason(null);
        error = new PendingError(status, message);
        open = false;
    }

    @Override
    public void sendRedirect(String location) {
        requireUncommitted();
        if (includes > 0) {
            return;
        }
        clearBody();
        head.contentLength(0);
        head.status(SC_FOUND).reason(null);
        head.headers().set("Location", absolute(location));
        open = false;
    }

    /** Servlet 3.1, 5.3: relative to the request's own URI, a leading slash to the server's root. */
    private String absolute(String location) {
        String url = PercentEncoding.escape(location);
        if (Locations.hasScheme(url)) {
            return url;
        }
        return Locations.resolve(request.getRequestURL().toString(), url);
    }

    // Header fields.

    @Override
    public boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public @Nullable String getHeader(String name) {
        if (name.equalsIgnoreCase("Content-Length")) {
            return head.contentLength() < 0 ? null : Long.toString(head.contentLength());
        }
        return head.headers().get(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        if (name.equalsIgnoreCase("Content-Length") && head.contentLength() >= 0) {
            return List.of(Long.toString(head.contentLength()));
        }
        return head.headers().all(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        Collection<String> names = new ArrayList<>(head.headers().names());
        if (head.contentLength() >= 0) {
            names.add("Content-Length");
        }
        return names;
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (isFixed() || isIgnored(name)) {
            return;
        }
        if (value == null) {
            head.headers().remove(name);
        } else if (!setsContent(name, value)) {
            head.headers().set(name, HeaderText.value(value));
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (!isFixed() && !isIgnored(name) && value != null && !setsContent(name, value)) {
            head.headers().add(name, HeaderText.value(value));
        }
    }

    /** Framing is the protocol's business; a name that is no token can't be sent. */
    private static boolean isIgnored(@Nullable String name) {
        return name == null || !HeaderText.isName(name) || name.equalsIgnoreCase("Transfer-Encoding");
    }

    /** True for the fields that have a method of their own. */
    private boolean setsContent(String name, String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
            return true;
        }
        if (name.equalsIgnoreCase("Content-Length")) {
            try {
                setContentLengthLong(Long.parseLong(value.trim()));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("Content-Length \"" + value + "\" is not a number", e);
            }
            return true;
        }
        return false;
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public void setDateHeader(String name, long millis) {
        setHeader(name, HttpDates.format(millis));
    }

    @Override
    public void addDateHeader(String name, long millis) {
        addHeader(name, HttpDates.format(millis));
    }

    @Override
    public void addCookie(Cookie cookie) {
        if (!isFixed()) {
            head.headers().add("Set-Cookie", app.cookieWriter().write(cookie));
        }
    }

    @Override
    public String encodeURL(String url) {
        return request.client().session().encode(url);
    }

    @Override
    public String encodeRedirectURL(String url) {
        return request.client().session().encodeRedirect(url);
    }

    @Override
    @Deprecated
    public String encodeUrl(String url) {
        return encodeURL(url);
    }

    @Override
    @Deprecated
    public String encodeRedirectUrl(String url) {
        return encodeRedirectURL(url);
    }

    // Content type, encoding, locale, length.

    private ContentTypeState content() {
        if (content == null) {
            content = new ContentTypeState();
        }
        return content;
    }

    private void writeContentType() {
        String field = content().field();
        if (field == null) {
            head.headers().remove(CONTENT_TYPE);
        } else {
            head.headers().set(CONTENT_TYPE, HeaderText.value(field));
        }
    }

    @Override
    public void setContentType(@Nullable String type) {
        if (!isFixed()) {
            content().type(type, writer != null);
            writeContentType();
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable String charset) {
        if (!isFixed() && writer == null) {
            content().charset(charset);
            writeContentType();
        }
    }

    @Override
    public void setLocale(@Nullable Locale locale) {
        if (!isFixed() && locale != null) {
            content().locale(locale, app.model().localeEncodings, writer != null);
            head.headers().set("Content-Language", locale.toLanguageTag());
            writeContentType();
        }
    }

    @Override
    public Locale getLocale() {
        Locale locale = content == null ? null : content.locale();
        return locale != null ? locale : Locale.getDefault();
    }

    @Override
    public @Nullable String getContentType() {
        return content == null ? null : content.field();
    }

    @Override
    public String getCharacterEncoding() {
        String charset = content == null ? null : content.charset();
        if (charset == null) {
            charset = app.servletContext().getResponseCharacterEncoding();
        }
        return charset == null ? DEFAULT_CHARSET : charset;
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!isFixed()) {
            head.contentLength(Math.max(-1, length));
        }
    }

    // The body.

    private ServletOutput output() {
        if (output == null) {
            output = new ServletOutput(this, exchange.outputStream());
        }
        return output;
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (writer != null) {
            throw new IllegalStateException("getWriter() was called for this response; use one of the two");
        }
        streamTaken = true;
        return output();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter known = writer;
        if (known != null) {
            return known;
        }
        if (streamTaken) {
            throw new IllegalStateException("getOutputStream() was called for this response; use one of the two");
        }
        String name = getCharacterEncoding();
        ResponseWriter encoding = new ResponseWriter(output(), charset(name));
        if (!isFixed()) {
            content().fix(name);
            writeContentType();
        }
        PrintWriter made = new PrintWriter(encoding);
        encoder = encoding;
        writer = made;
        return made;
    }

    private static Charset charset(String name) throws UnsupportedEncodingException {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedEncodingException(name);
        }
    }

    @Override
    public boolean sendFile(FileChannel file, long position, long length) throws IOException {
        if (!request.connector().sendfile()
                || !open
                || includes > 0
                || writer != null
                || exchange.outputStream().written() > 0) {
            return false;
        }
        exchange.outputStream().send(new Payload.FileRegion(file, position, length), failure -> {
            try {
                file.close();
            } catch (IOException e) {
                exchange.abort(e);
            }
        });
        return true;
    }

    @Override
    public void setBufferSize(int bytes) {
        if (exchange.isCommitted() || exchange.outputStream().written() > 0) {
            throw new IllegalStateException("setBufferSize() came too late: the response's body has begun");
        }
        exchange.outputStream().commitSize(Math.max(bytes, getBufferSize()));
    }

    @Override
    public int getBufferSize() {
        return exchange.outputStream().commitSize();
    }

    @Override
    public void flushBuffer() throws IOException {
        if (includes == 0 && open) {
            if (encoder != null) {
                encoder.drainChars();
            }
            exchange.outputStream().flush();
        }
    }

    @Override
    public void resetBuffer() {
        requireUncommitted();
        exchange.outputStream().reset();
        if (encoder != null) {
            encoder.reset();
        }
    }

    @Override
    public void reset() {
        requireUncommitted();
        if (includes > 0) {
            return;
        }
        clearBody();
        content = null;
        head.headers().clear();
        head.contentLength(-1).status(SC_OK).reason(null);
    }

    @Override
    public boolean isCommitted() {
        return exchange.isCommitted();
    }

    @Override
    public String toString() {
        return "response " + head.status() + " to " + Objects.toString(request.getRequestURI());
    }

    /**
     * What sendError asked for.
     *
     * @param message for the error page; not shown to the client otherwise
     */
    public record PendingError(int status, @Nullable String message) {}
}
