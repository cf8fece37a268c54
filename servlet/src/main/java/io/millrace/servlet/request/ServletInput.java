package io.millrace.servlet.request;

import io.millrace.exchange.ExchangeInputStream;
import java.io.IOException;
import java.util.Objects;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/** The request's body as bytes. */
final class ServletInput extends ServletInputStream {

    private final HttpServletRequestImpl request;
    private final ExchangeInputStream in;
    private @Nullable ReadEvents events;

    ServletInput(HttpServletRequestImpl request, ExchangeInputStream in) {
        this.request = request;
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return in.read(bytes, offset, length);
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public boolean isFinished() {
        return in.isFinished();
    }

    @Override
    public boolean isReady() {
        return in.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        if (events != null) {
            throw new IllegalStateException("a ReadListener was set already");
        }
        events = new ReadEvents(request, in, Objects.requireNonNull(listener));
    }
}
