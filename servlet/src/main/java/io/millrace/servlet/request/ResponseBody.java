package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.files.FileBody;
import io.millrace.files.FileReply;
import io.millrace.files.StaticFiles;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.ResponseHead;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * A response's body, either as bytes or as characters, its buffer (Servlet 3.1, 5.1) and its trailer fields. Confined to the exchange's owner.
 */
final class ResponseBody {

    private final HttpExchange exchange;
    private final AsyncMode async;
    private @Nullable Output output;
    private @Nullable CharacterOutput encoder;
    private @Nullable PrintWriter writer;
    private @Nullable Trailers trailers;
    private @Nullable FileBody file;
    private boolean streamTaken;
    private boolean open = true;
    /** True once a handler was set that takes over the connection, if the status stays 101. */
    private boolean upgrading;

    private int includes;

    ResponseBody(HttpExchange exchange, AsyncMode async) {
        this.exchange = exchange;
        this.async = async;
    }

    Trailers trailers() {
        Trailers made = trailers;
        if (made == null) {
            made = new Trailers();
            trailers = made;
        }
        return made;
    }

    /** False once it is closed: by sendError, sendRedirect, close, or the end of a forward. */
    boolean isOpen() {
        return open;
    }

    /** True within an include, which must not change the head. */
    boolean isIncluding() {
        return includes > 0;
    }

    void beginInclude() {
        includes++;
    }

    void endInclude() {
        includes--;
    }

    /** A handler takes over the connection if the response is a 101: that has no body. */
    void upgrade() {
        upgrading = true;
    }

    private boolean isSwitching() {
        return upgrading && exchange.response().status() == HttpServletResponse.SC_SWITCHING_PROTOCOLS;
    }

    /**
     * Handles a flush of a response that switches protocols, as frameworks flush every response: it only closes the body. The
     * switch sends the head once the application has returned. False for other responses.
     */
    private boolean settlesSwitch() {
        if (!isSwitching()) {
            return false;
        }
        drop();
        return true;
    }

    /** How many of these bytes fit the Content-Length (Servlet 3.1, 5.6); the rest is dropped. 0 for a 101. */
    private int room(int bytes) {
        if (isSwitching()) {
            return 0;
        }
        long announced = exchange.response().contentLength();
        return announced < 0 ? bytes : (int) Math.max(0, Math.min(bytes, announced - written()));
    }

    /** Whether as much was written as the Content-Length announces. */
    boolean isComplete() {
        long announced = exchange.response().contentLength();
        return announced > 0 && written() >= announced;
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

    private Output output() {
        if (output == null) {
            output = new Output(stream());
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
        Charset charset = ServletRequestBody.charset(encoding);
        CharacterOutput made = CharacterOutput.of(output(), charset);
        encoder = made;
        PrintWriter printing = new PrintWriter(made);
        writer = printing;
        return printing;
    }

    /** Within an include, too, which may commit the response (Servlet 3.1, 9.3). */
    void flush() throws IOException {
        if (!open || settlesSwitch()) {
            return;
        }
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

    /** The output stream. What is written after the response was closed, such as by sendError, is dropped. */
    private final class Output extends ServletOutputStream {

        private final ExchangeOutputStream out;
        private volatile @Nullable WriteEvents events;

        Output(ExchangeOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            if (open && room(1) > 0) {
                out.write(value);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (open) {
                out.write(bytes, offset, room(length));
            }
        }

        /** Writes once: the API's implementation calls write for each character. */
        @Override
        public void print(@Nullable String text) throws IOException {
            String latin = text == null ? "null" : text;
            for (int i = 0; i < latin.length(); i++) {
                if (latin.charAt(i) > 0xff) {
                    throw new CharConversionException("character U+" + Integer.toHexString(latin.charAt(i))
                            + " is not ISO-8859-1; use getWriter() with a character encoding");
                }
            }
            write(latin.getBytes(StandardCharsets.ISO_8859_1));
        }

        @Override
        public void flush() throws IOException {
            if (open && !settlesSwitch()) {
                out.flush();
            }
        }

        /** Ignored within an include, as the including servlet continues to write (Servlet 3.1, 9.3). */
        @Override
        public void close() throws IOException {
            if (!isIncluding()) {
                ResponseBody.this.close();
            }
        }

        @Override
        public boolean isReady() {
            return events == null || out.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            if (events != null) {
                throw new IllegalStateException("a WriteListener was set already");
            }
            Objects.requireNonNull(listener);
            events = new WriteEvents(out, listener, async.listeners("setWriteListener"));
        }
    }

    /** The trailer fields, which the application supplies when the body is complete (Servlet 4.0, 5.3). */
    final class Trailers {

        private @Nullable Supplier<Map<String, String>> supplier;

        @Nullable
        Supplier<Map<String, String>> supplier() {
            return supplier;
        }

        /** Sets the supplier, which is called when the body is complete. */
        void supplier(Supplier<Map<String, String>> given) {
            ResponseHead head = exchange.response();
            if (exchange.output().isCommitted()) {
                throw new IllegalStateException("setTrailerFields() was called too late: the response is committed");
            }
            if (exchange.request().version() == HttpVersion.HTTP_1_0 || head.contentLength() >= 0) {
                throw new IllegalStateException(
                        "a response has trailer fields only if it is chunked: not in HTTP/1.0, and not"
                                + " with a Content-Length");
            }
            supplier = Objects.requireNonNull(given);
            head.trailers(new Headers());
        }

        /** Removes the supplier; called when the response is reset. */
        void forget() {
            supplier = null;
            exchange.response().trailers(null);
        }

        /** Calls the supplier; the body is complete. */
        void supply() {
            Supplier<Map<String, String>> mine = supplier;
            Headers fields = exchange.response().trailers();
            if (mine == null || fields == null) {
                return;
            }
            fields.clear(); // an error page may complete the body again
            Map<String, String> supplied = mine.get();
            if (supplied != null) {
                supplied.forEach((name, value) -> {
                    if (name != null && value != null) {
                        fields.add(name, value);
                    }
                });
            }
        }
    }
}
