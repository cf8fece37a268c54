package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.files.FileReply;
import io.millrace.files.StaticFiles;
import io.millrace.http.ResponseHead;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.settings.ServletOptions;
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
 * An exchange's response as the Servlet API has it: {@link ResponseHeadView} and {@link ResponseBody}, and what concerns
 * both. For the owner of the exchange.
 */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
public final class HttpServletResponseImpl extends ResponseHeadView {

    private final HttpServletRequestImpl request;
    private final ResponseBody body;
    private @Nullable PendingError error;
    private @Nullable String origin;

    HttpServletResponseImpl(AppView app, HttpExchange exchange, HttpServletRequestImpl request) {
        super(app, exchange);
        this.request = request;
        this.body = new ResponseBody(this, exchange);
    }

    /**
     * The one at the bottom of an application's wrappers.
     *
     * @throws IllegalArgumentException if there is none
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

    // What the container needs of it.

    HttpServletRequestImpl request() {
        return request;
    }

    /** False once the body is over: by sendError, sendRedirect, close, or the end of a forward. */
    boolean isOpen() {
        return body.isOpen();
    }

    /** What sendError asked for; null if it was not called. */
    public @Nullable PendingError error() {
        return error;
    }

    /** The error is being answered now: opens the body for its page. The status stays. */
    public void beginErrorPage(int status) {
        error = null;
        body.reopen();
        fields().releaseCharset();
        fields().removeContent();
        head().status(status).reason(null);
    }

    /** Said with a 503, though the application may have ended the response before it failed. */
    public void retryAfter(int seconds) {
        if (!exchange().output().isCommitted()) {
            head().headers().set("Retry-After", Integer.toString(seconds));
        }
    }

    /** No more output is taken. What was written stays. */
    public void closeBody() throws IOException {
        body.close();
    }

    /** The response can't be ended as it should: the client must see that. */
    public void abort(Throwable cause) {
        exchange().abort(cause);
    }

    /** It is to be 101. What it switches to, the application says. */
    void switchProtocols() {
        requireUncommitted();
        head().status(SC_SWITCHING_PROTOCOLS).reason(null);
        if (!head().headers().contains("Connection")) {
            head().headers().set("Connection", "Upgrade");
        }
    }

    /**
     * A flush of a response that switches protocols, which frameworks do with every response, only settles its head: that goes
     * out by the switch itself, once the application has returned, and a 101 has no body. False for other responses.
     */
    boolean settlesSwitch() {
        if (!isSwitching()) {
            return false;
        }
        dropBody();
        return true;
    }

    private boolean isSwitching() {
        return getStatus() == SC_SWITCHING_PROTOCOLS && request.isUpgrading();
    }

    private void requireUncommitted() {
        if (isCommitted()) {
            throw new IllegalStateException(
                    "the response is committed or has ended: its status and header fields cannot be changed");
        }
    }

    /**
     * How many of so many bytes fit what was announced by setContentLength (Servlet 3.1, 5.6), none of a 101, which has no body: the
     * rest is dropped.
     */
    int room(int bytes) {
        if (isSwitching()) {
            return 0;
        }
        long announced = head().contentLength();
        return announced < 0 ? bytes : (int) Math.max(0, Math.min(bytes, announced - body.written()));
    }

    private void requireOpen(String caller) {
        if (isCommitted()) {
            throw new IllegalStateException(caller
                    + " was called too late: the response is committed, or ended by sendError, sendRedirect or close");
        }
    }

    /** Forgets what was written and takes nothing any more. */
    private void dropBody() {
        body.drop();
        fields().releaseCharset();
    }

    // Status and redirects.

    @Override
    public void sendError(int status) {
        sendError(status, null);
    }

    /** The page is made once the application has returned; until then all other output is dropped. */
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
            String base = origin == null ? request.getRequestURL().toString() : origin + request.getRequestURI();
            redirect(SC_FOUND, Locations.absolute(location, base));
        }
    }

    /**
     * Says where the client believes the server to be, for redirects that are relative.
     *
     * @param value scheme, host and port, such as {@code https://www.example.com}
     */
    public void origin(String value) {
        origin = value;
    }

    /**
     * Runs an action just before the head is sent, on the thread that sends it: it may still change the fields. It is not run if an
     * error takes the response's place.
     *
     * @param action is given the head
     */
    public void beforeHead(Consumer<ResponseHead> action) {
        if (!exchange().output().isCommitted()) {
            exchange().output().wrap(sink -> new BeforeHead(sink, () -> action.accept(head())));
        }
    }

    /** A redirect of this status, to a location that is sent as it is. */
    void redirect(int status, String location) {
        dropBody();
        head().contentLength(0);
        head().status(status).reason(null);
        head().headers().set("Location", location);
    }

    // Links.

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
     * Makes the reply's body the whole body of the response: it is sent when the response ends, after the servlet has
     * returned if need be. What is written afterwards is dropped.
     *
     * @param kernel may the kernel send it?
     * @return false, having done nothing, if bytes were written before, or the file must be copied
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
        if (!isIncluding() && isOpen() && !settlesSwitch()) {
            body.flush();
        }
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

    /** After sendError, sendRedirect, close and forward as well, though nothing may have been sent yet. */
    @Override
    public boolean isCommitted() {
        return exchange().output().isCommitted() || !body.isOpen();
    }

    @Override
    public String toString() {
        return "response " + head().status() + " to " + request.getRequestURI();
    }
}
