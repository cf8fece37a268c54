package io.millrace.servlet.request;

import io.millrace.exchange.stream.ExchangeOutputStream;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import org.jspecify.annotations.Nullable;

/** The output stream of a response. What is written after the response was closed, such as by sendError, is dropped. */
final class ServletOutput extends ServletOutputStream {

    private final HttpServletResponseImpl response;
    private final ExchangeOutputStream out;
    private volatile @Nullable WriteEvents events;

    ServletOutput(HttpServletResponseImpl response, ExchangeOutputStream out) {
        this.response = response;
        this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
        if (response.isOpen() && response.room(1) > 0) {
            out.write(value);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (response.isOpen()) {
            out.write(bytes, offset, response.room(length));
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
        if (response.isOpen() && !response.settlesSwitch()) {
            out.flush();
        }
    }

    /** Ignored within an include, as the including servlet continues to write (Servlet 3.1, 9.3). */
    @Override
    public void close() throws IOException {
        if (!response.isIncluding()) {
            response.closeBody();
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
        events = new WriteEvents(out, listener, response.request().async().listeners("setWriteListener"));
    }
}
