package io.millrace.servlet.dispatch;

import io.millrace.exchange.ClientClosedException;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Suspension;
import io.millrace.exchange.TunnelHandler;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.request.IoListeners;
import io.millrace.servlet.request.ServletInput;
import io.millrace.servlet.request.UpgradeOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.WebConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection that {@code HttpServletRequest.upgrade} passed to a handler (Servlet 3.1, 2.3.3.5): an exchange of raw bytes until
 * the handler closes it or the connection is lost. Its streams block, unless they have listeners.
 *
 * <p><b>Threads.</b> {@code init}, the listeners, and finally {@code destroy} are called one at a time, on workers. The
 * application may use the streams and {@link #close} on any thread.
 *
 * <p>When the server drains, the connection is closed once its handler is idle: {@code destroy} is called before the close, so
 * that the handler can notify the client.
 */
final class UpgradedConnection implements WebConnection {

    private final AppView app;
    private final HttpUpgradeHandler handler;
    private final HttpExchange exchange;
    private final IoListeners listeners = new IoListeners(this::wake);
    private final ServletInput input;
    private final UpgradeOutput output;
    private volatile boolean closed;
    private volatile boolean draining;
    private final AtomicBoolean destroyed = new AtomicBoolean();
    private volatile @Nullable Suspension suspension;

    private UpgradedConnection(AppView app, HttpUpgradeHandler handler, HttpExchange exchange) {
        this.app = app;
        this.handler = handler;
        this.exchange = exchange;
        this.input = new ServletInput(ExchangeInputStream.of(exchange), caller -> listeners);
        this.output = new UpgradeOutput(ExchangeOutputStream.of(exchange), listeners);
    }

    /** The handler of an upgraded exchange. It has no timeouts, as on Tomcat. */
    static TunnelHandler by(AppView app, HttpUpgradeHandler handler) {
        return new Opening(app, handler);
    }

    /** Creates the connection after the upgrade; drain may be called before that. */
    private static final class Opening implements TunnelHandler {

        private final AppView app;
        private final HttpUpgradeHandler handler;
        private volatile boolean draining;
        private volatile @Nullable UpgradedConnection opened;

        Opening(AppView app, HttpUpgradeHandler handler) {
            this.app = app;
            this.handler = handler;
        }

        @Override
        public void handle(HttpExchange exchange) {
            UpgradedConnection connection = new UpgradedConnection(app, handler, exchange);
            opened = connection;
            if (draining) {
                connection.drain();
            }
            connection.begin();
        }

        @Override
        public void drain() {
            draining = true;
            UpgradedConnection connection = opened;
            if (connection != null) {
                connection.drain();
            }
        }
    }

    private void drain() {
        draining = true;
        wake();
    }

    private void begin() {
        exchange.onEnd(outcome -> end(outcome.failure()));
        app.run(() -> {
            try {
                handler.init(this);
            } catch (Throwable thrown) {
                ServletLog.DISPATCH.upgradeFailed(handler.getClass().getName(), thrown);
                closed = true;
            }
        });
        rest();
    }

    /**
     * Suspends the exchange until the next event. If the connection is closed, returning without a suspension ends the exchange.
     */
    private void rest() {
        flush();
        if (draining && !closed) {
            app.run(this::destroyHandler);
            flush();
            closed = true;
        }
        if (closed) {
            return;
        }
        Suspension held = exchange.suspend(Duration.ZERO, expired -> {});
        suspension = held;
        if (closed || draining || listeners.isPending()) {
            held.resume(this::resumed);
        }
    }

    private void flush() {
        try {
            if (!ExchangeOutputStream.of(exchange).isClosed()) {
                ExchangeOutputStream.of(exchange).flush();
            }
        } catch (IOException gone) {
            closed = true;
        }
    }

    private void wake() {
        Suspension held = suspension;
        if (held != null) {
            held.resume(this::resumed);
        }
    }

    private void resumed(HttpExchange resumed) {
        app.run(() -> {
            if (listeners.call(() -> !closed) != null) {
                closed = true; // a failed listener is not called again
            }
        });
        rest();
    }

    /** Handles the end of the exchange. Called on a thread that must not block. */
    private void end(@Nullable Throwable failure) {
        app.runLast(exchange, () -> destroy(failure));
    }

    private void destroy(@Nullable Throwable failure) {
        try {
            if (!closed) {
                listeners.lose(failure != null ? failure : new ClientClosedException(null));
            }
        } catch (RuntimeException thrown) {
            ServletLog.DISPATCH.upgradeFailed(handler.getClass().getName(), thrown);
        }
        destroyHandler();
    }

    private void destroyHandler() {
        if (destroyed.getAndSet(true)) {
            return;
        }
        try {
            try {
                handler.destroy();
            } finally {
                app.instances().release(handler);
            }
        } catch (RuntimeException thrown) {
            ServletLog.DISPATCH.upgradeFailed(handler.getClass().getName(), thrown);
        }
    }

    @Override
    public ServletInputStream getInputStream() {
        return input;
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return output;
    }

    /** Closes once the container's call into the application has returned; what was written before is sent. Thread-safe. */
    @Override
    public void close() {
        closed = true;
        wake();
    }
}
