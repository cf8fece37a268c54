package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.files.FileBody;
import io.millrace.files.FileReply;
import io.millrace.files.StaticFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import javax.servlet.ServletOutputStream;
import org.jspecify.annotations.Nullable;

/** A response's body, either as bytes or as characters, and its buffer (Servlet 3.1, 5.1). Confined to the exchange's owner. */
final class ResponseBody {

    private final HttpServletResponseImpl response;
    private final HttpExchange exchange;
    private @Nullable ServletOutput output;
    private @Nullable CharacterOutput encoder;
    private @Nullable PrintWriter writer;
    private @Nullable ResponseTrailers trailers;
    private @Nullable FileBody file;
    private boolean streamTaken;
    private boolean open = true;

    ResponseBody(HttpServletResponseImpl response, HttpExchange exchange) {
        this.response = response;
        this.exchange = exchange;
    }

    ResponseTrailers trailers() {
        ResponseTrailers made = trailers;
        if (made == null) {
            made = new ResponseTrailers(exchange);
            trailers = made;
        }
        return made;
    }

    /** False once it is closed: by sendError, sendRedirect, close, or the end of a forward. */
    boolean isOpen() {
        return open;
    }

    /** Keeps what was written, and drops further output. */
    void close() throws IOException {
        if (open) {
            if (encoder != null) {
                encoder.finish();
            }
            open = false;
            if (trailers != null) {
                trailers.supply();
            }
        }
    }

    /** Discards what was written, and drops further output. */
    void drop() {
        clear();
        open = false;
    }

    /** Reopens it for an error page. */
    void reopen() {
        clear();
        open = true;
    }

    /** Discards what was written, and allows the choice of stream or writer again. */
    void clear() {
        reset();
        if (trailers != null) {
            trailers.forget();
        }
        streamTaken = false;
        writer = null;
        encoder = null;
    }

    /** Discards what was written. */
    void reset() {
        if (file != null) {
            file.cancel();
            file = null;
        }
        stream().reset();
        if (encoder != null) {
            encoder.reset();
        }
    }

    private ExchangeOutputStream stream() {
        return ExchangeOutputStream.of(exchange);
    }

    /** Bytes written so far, sent or not. */
    long written() {
        return stream().written();
    }

    private ServletOutput output() {
        if (output == null) {
            output = new ServletOutput(response, stream());
        }
        return output;
    }

    ServletOutputStream takeStream() {
        if (writer != null) {
            throw new IllegalStateException("getWriter() was called for this response; use one of the two");
        }
        streamTaken = true;
        return output();
    }

    boolean hasWriter() {
        return writer != null;
    }

    /** The writer, created with this encoding if there is none yet. */
    PrintWriter takeWriter(String encoding) throws IOException {
        PrintWriter known = writer;
        if (known != null) {
            return known;
        }
        if (streamTaken) {
            throw new IllegalStateException("getOutputStream() was called for this response; use one of the two");
        }
        Charset charset = RequestBody.charset(encoding);
        CharacterOutput made = CharacterOutput.of(output(), charset);
        encoder = made;
        PrintWriter printing = new PrintWriter(made);
        writer = printing;
        return printing;
    }

    void flush() throws IOException {
        if (encoder != null) {
            encoder.drainChars();
        }
        stream().flush();
    }

    int bufferSize() {
        return stream().commitSize();
    }

    void bufferSize(int bytes) {
        if (exchange.output().isCommitted() || stream().written() > 0) {
            throw new IllegalStateException("setBufferSize() was called too late: the response's body has begun");
        }
        stream().commitSize(Math.max(bytes, bufferSize()));
    }

    /** Makes a file the body; false, with no effect, if the body has begun or the file must be copied. */
    boolean sendFile(StaticFiles files, FileReply reply, boolean kernel) throws IOException {
        if (!open
                || writer != null
                || file != null
                || stream().written() > 0
                || exchange.output().isCommitted()) {
            return false;
        }
        file = files.attach(exchange, reply, kernel);
        return file != null;
    }
}
