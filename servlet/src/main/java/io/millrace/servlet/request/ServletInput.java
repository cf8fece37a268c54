package io.millrace.servlet.request;

import io.millrace.exchange.stream.ExchangeInputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/** The input stream of a request's body, or of an upgraded connection. */
public final class ServletInput extends ServletInputStream {

    private final ExchangeInputStream in;
    private final Function<String, IoListeners> listeners;
    private volatile @Nullable ReadEvents events;

    /**
     * The stream of one request or connection.
     *
     * @param listeners returns where the ReadListener registers, given the calling method; throws if none may be set now
     */
    public ServletInput(ExchangeInputStream in, Function<String, IoListeners> listeners) {
        this.in = in;
        this.listeners = listeners;
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
        ReadEvents known = events;
        return known == null ? in.isReady() : known.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        if (events != null) {
            throw new IllegalStateException("a ReadListener was set already");
        }
        Objects.requireNonNull(listener);
        events = new ReadEvents(in, listener, listeners.apply("setReadListener"));
    }
}
