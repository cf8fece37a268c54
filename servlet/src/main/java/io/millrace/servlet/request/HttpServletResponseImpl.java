package io.millrace.servlet.request;

import io.millrace.exchange.BodySink;
import io.millrace.exchange.HttpExchange;
import io.millrace.files.FileReply;
import io.millrace.files.StaticFiles;
import io.millrace.http.HttpVersion;
import io.millrace.http.Locations;
import io.millrace.http.ResponseHead;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.servlet.uri.UrlEscapes;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.servlet.ServletOutputStream;
import javax.servlet.ServletResponse;
import javax.servlet.ServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The Servlet API's response over an exchange: {@link ResponseHeadView}, {@link ResponseBody}, and what concerns both. Confined
 * to the exchange's owner.
 */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
public final class HttpServletResponseImpl extends ResponseHeadView {

    private final RequestFacts request;
    private final ResponseBody body;
    private @Nullable PendingError error;
    private @Nullable String origin;

    HttpServletResponseImpl(RequestFacts request, AsyncMode async) {
        super(request.home(), request.exchange().response());
        this.request = request;
        this.body = new ResponseBody(request.exchange(), async);
    }

    /**
     * Unwraps an application's response.
     *
     * @throws IllegalArgumentException if it wraps another implementation
     */
    public static HttpServletResponseImpl of(ServletResponse response) {
        ServletResponse at = response;
        while (at instanceof ServletResponseWrapper wrapper) {
            at = wrapper.getResponse();
        }
        if (at instanceof HttpServletResponseImpl inner) {
            return inner;
        }
        throw new IllegalArgumentException(at.getClass().getName()
                + " is neither the container's response nor a ServletResponseWrapper around it (Servlet 3.1, 9.2)");
    }

    // For the container.

    HttpExchange exchange() {
        return request.exchange();
    }

    private boolean isIncluding() {
        return body.isIncluding();
    }

    public void beginInclude() {
        body.beginInclude();
    }

    public void endInclude() {
        body.endInclude();
    }

    @Override
    boolean isFixed() {
        return isIncluding() || isCommitted();
    }

    /** The error set by sendError; null if there is none. */
    public @Nullable PendingError error() {
        return error;
    }

    /** Reopens the body for the error page. The status stays. */
    public void beginErrorPage(int status) {
        error = null;
        body.reopen();
        fields().releaseCharset();
        fields().removeContent();
        head().status(status).reason(null);
    }

    /** Sets Retry-After of a 503, even if the application closed the response before it failed. */
    public void retryAfter(int seconds) {
        if (!exchange().output().isCommitted()) {
            head().headers().set("Retry-After", Integer.toString(seconds));
        }
    }

    /** Closes the body: keeps what was written, and drops further output. */
    public void closeBody() throws IOException {
        body.close();
    }

    /** Aborts the exchange, so that the client notices that the response is incomplete. */
    public void abort(Throwable cause) {
        exchange().abort(cause);
    }

    /** Sets status 101, as a handler takes over the connection. The Upgrade field is the application's. */
    void switchProtocols() {
        requireUncommitted();
        body.upgrade();
        head().status(SC_SWITCHING_PROTOCOLS).reason(null);
        if (!head().headers().contains("Connection")) {
            head().headers().set("Connection", "Upgrade");
        }
    }

    private void requireUncommitted() {
        if (isCommitted()) {
            throw new IllegalStateException(
                    "the response is committed or has ended: its status and header fields cannot be changed");
        }
    }

    private void requireOpen(String caller) {
        if (isCommitted()) {
            throw new IllegalStateException(caller
                    + " was called too late: the response is committed, or ended by sendError, sendRedirect or close");
        }
    }

    /** Discards what was written and drops further output. */
    private void dropBody() {
        body.drop();
        fields().releaseCharset();
    }

    // Status and redirects.

    @Override
    public void sendError(int status) {
        sendError(status, null);
    }

    /** The error page is created once the application has returned; until then all other output is dropped. */
    @Override
    public void sendError(int status, @Nullable String message) {
        requireOpen("sendError");
        if (isIncluding()) {
            return;
        }
        dropBody();
        head().status(status).reason(null);
        error = new PendingError(status, message);
    }

    @Override
    public void sendRedirect(String location) {
        requireOpen("sendRedirect");
        if (!isIncluding()) {
            String url = UrlEscapes.escape(location);
            redirect(SC_FOUND, staysRelative() ? url : Locations.absolute(url, redirectBase()));
        }
    }

    /** Clients of HTTP/1.0 know absolute locations only (RFC 1945, 10.11). */
    private boolean staysRelative() {
        return request.exchange().request().version() != HttpVersion.HTTP_1_0
                && request.home().settings().get(ContextOptions.USE_RELATIVE_REDIRECTS);
    }

    /** The URL that the client requested, also in a forward: what it would resolve a relative location against. */
    private String redirectBase() {
        return origin == null
                ? request.originalUrl()
                : origin + request.exchange().request().path().raw();
    }

    /**
     * Sets the origin that the client uses, for relative redirects.
     *
     * @param value scheme, host and port, such as {@code https://www.example.com}
     */
    public void origin(String value) {
        origin = value;
    }

    /**
     * Runs an action immediately before the head is sent, on the sending thread: it may still change the fields. It is not run if
     * an error replaces the response.
     *
     * @param action receives the head
     */
    public void beforeHead(Consumer<ResponseHead> action) {
        if (!exchange().output().isCommitted()) {
            exchange().output().wrap(sink -> new BeforeHead(sink, () -> action.accept(head())));
        }
    }

    /** Redirects with this status to a reference that is escaped already, made absolute as by sendRedirect. */
    public void redirectTo(int status, String location) {
        redirect(status, staysRelative() ? location : Locations.absolute(location, redirectBase()));
    }

    /** Redirects with this status. The location is sent unchanged. */
    private void redirect(int status, String location) {
        dropBody();
        head().contentLength(0);
        head().status(status).reason(null);
        head().headers().set("Location", location);
    }

    // Links.

    @Override
    public String encodeURL(String url) {
        return request.homeSession().encode(url);
    }

    @Override
    public String encodeRedirectURL(String url) {
        return request.homeSession().encodeRedirect(url);
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

    // The body.

    @Override
    public ServletOutputStream getOutputStream() {
        return body.takeStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        boolean made = body.hasWriter();
        String charset = fields().charset();
        PrintWriter writer = body.takeWriter(charset);
        if (!made) {
            fields().fixCharset(charset, !isFixed());
        }
        return writer;
    }

    /**
     * Makes the reply's body the whole body of the response: it is sent when the response ends, possibly after the servlet has
     * returned. What is written afterwards is dropped.
     *
     * @param kernel true if the kernel may send it (sendfile)
     * @return false, with no effect, if the body has begun, or if the file must be copied
     */
    public boolean sendFile(StaticFiles files, FileReply reply, boolean kernel) throws IOException {
        return !isIncluding()
                && body.sendFile(files, reply, kernel && request.connector().get(ServletOptions.USE_SENDFILE));
    }

    @Override
    public void setBufferSize(int bytes) {
        body.bufferSize(bytes);
    }

    @Override
    public int getBufferSize() {
        return body.bufferSize();
    }

    @Override
    public void flushBuffer() throws IOException {
        body.flush();
    }

    @Override
    public void resetBuffer() {
        requireUncommitted();
        body.reset();
    }

    @Override
    public void reset() {
        requireUncommitted();
        if (isIncluding()) {
            return;
        }
        body.clear();
        fields().releaseCharset();
        fields().clear();
        head().status(SC_OK).reason(null);
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        body.trailers().supplier(supplier);
    }

    @Override
    public @Nullable Supplier<Map<String, String>> getTrailerFields() {
        return body.trailers().supplier();
    }

    /**
     * Also true after sendError, sendRedirect, close and forward, and when as much was written as the Content-Length announces (Servlet 4.0,
     * 5.7), even if nothing was sent yet.
     */
    @Override
    public boolean isCommitted() {
        return exchange().output().isCommitted() || !body.isOpen() || body.isComplete();
    }

    @Override
    public String toString() {
        return "response " + head().status() + " to "
                + request.dispatch().view().requestUri();
    }

    /** Runs an action before the first write of a body, which commits the head. Confined to the exchange's owner. */
    private static final class BeforeHead implements BodySink {

        private final BodySink sink;
        private final Runnable action;
        private boolean done;

        BeforeHead(BodySink sink, Runnable action) {
            this.sink = sink;
            this.action = action;
        }

        @Override
        public void write(Payload piece, boolean last, Completion completion) {
            if (!done) {
                done = true;
                action.run();
            }
            sink.write(piece, last, completion);
        }
    }
}
