package io.millrace.servlet.request;

import io.millrace.exchange.stream.ExchangeInputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/** A request's body, or what comes on an upgraded connection, as bytes. */
public final class ServletInput extends ServletInputStream {

    private final ExchangeInputStream in;
    private final Function<String, IoListeners> listeners;
    private volatile @Nullable ReadEvents events;

    /**
     * For one request or connection.
     *
     * @param listeners where its ReadListener belongs, for the method that asks; throws if there must not be one now
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
