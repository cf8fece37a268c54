package io.millrace.tls.layer;

import io.millrace.io.AtomicField;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.NoHandler;
import io.millrace.io.ReadyLoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the events of the connection below to the handler above, and also notifies it of input that is buffered here: serially,
 * never nested.
 */
final class HandlerRelay implements ConnectionHandler {

    private static final VarHandle HANDLER = AtomicField.of(MethodHandles.lookup(), "handler", ConnectionHandler.class);

    private final TlsConnection connection;
    private final ReadyLoop loop = new ReadyLoop();
    private volatile ConnectionHandler handler = NoHandler.NOT_YET;
    private volatile boolean draining;
    private volatile @Nullable Throwable cause;

    HandlerRelay(TlsConnection connection) {
        this.connection = connection;
    }

    void install(ConnectionHandler next) {
        ConnectionHandler before = handler;
        if (before == NoHandler.GONE || !HANDLER.compareAndSet(this, before, next)) {
            next.onClosed(cause); // closed meanwhile: the new handler is notified like the old one
        } else if (draining) {
            next.drain();
        }
    }

    /** Called by the owner, as its last call: calls the handler, now or after the call in progress. */
    void deliver() {
        loop.run(this::call);
    }

    private void call() {
        try {
            handler.onReadable();
        } catch (Throwable thrown) {
            connection.failed(thrown);
        }
    }

    @Override
    public void onReadable() {
        handler.onReadable();
    }

    @Override
    public void onIdle() {
        handler.onIdle();
    }

    @Override
    public void onClosed(@Nullable Throwable why) {
        cause = why;
        connection.closed();
        ConnectionHandler last = (ConnectionHandler) HANDLER.getAndSet(this, NoHandler.GONE);
        last.onClosed(why);
    }

    @Override
    public void drain() {
        draining = true;
        handler.drain();
    }
}
