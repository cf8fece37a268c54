package io.millrace.servlet.request;

import io.millrace.exchange.stream.ExchangeOutputStream;
import java.io.IOException;
import java.util.Objects;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import org.jspecify.annotations.Nullable;

/** The output stream of an upgraded connection. Sends on {@link #flush}, and when the handler's call has returned. */
public final class UpgradeOutput extends ServletOutputStream {

    private final ExchangeOutputStream out;
    private final IoListeners listeners;
    private volatile @Nullable WriteEvents events;

    public UpgradeOutput(ExchangeOutputStream out, IoListeners listeners) {
        this.out = out;
        this.listeners = listeners;
    }

    @Override
    public void write(int value) throws IOException {
        out.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    /** Half-closes the connection: input stays open. */
    @Override
    public void close() {
        out.close();
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
        events = new WriteEvents(out, Objects.requireNonNull(listener), listeners);
    }
}
