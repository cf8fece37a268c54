package io.millrace.tls.layer;

import io.millrace.io.AtomicField;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.ForwardingConnection;
import io.millrace.io.FrontEnd;
import io.millrace.io.NoHandler;
import io.millrace.io.Payload;
import io.millrace.io.ReadyLoop;
import io.millrace.log.CoreLog;
import io.millrace.tls.TlsEngine;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The decrypted side of a connection. Coordinates {@link TlsReader}, {@link TlsWriter}, and {@link HandlerRelay}, which calls the
 * handler above.
 */
final class TlsConnection extends ForwardingConnection {

    private final TlsEngine engine;
    private final @Nullable String serverName;
    private final TlsReader reader;
    private final TlsWriter writer;
    private final HandlerRelay relay = new HandlerRelay(this);
    private volatile @Nullable Channel channel;

    /** @param serverName the name that selected the engine; null for a client, or if there is none */
    TlsConnection(
            Connection below, TlsEngine engine, @Nullable String serverName, CipherInput input, RecordBuffers records) {
        super(below);
        this.engine = engine;
        this.serverName = serverName;
        reader = new TlsReader(this, below, engine, input);
        writer = new TlsWriter(this, below, engine, records);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read();
    }

    @Override
    public void awaitReadable() {
        if (reader.hasUnread() || reader.isEnded()) { // the connection below may stay open after a close_notify
            relay.deliver();
        } else {
            below().awaitReadable();
        }
    }

    @Override
    public void write(Payload payload, Completion completion) {
        writer.write(payload, completion);
    }

    @Override
    public void finish(Completion completion) {
        writer.finish(completion);
    }

    /** An orderly close sends close_notify: without it, the peer could not distinguish it from truncation (RFC 8446, 6.1). */
    @Override
    public void close(@Nullable Throwable cause) {
        if (cause == null) {
            writer.shutdown();
        }
        below().close(cause);
    }

    @Override
    public void install(ConnectionHandler handler) {
        relay.install(handler);
    }

    @Override
    public Channel channel() {
        Channel known = channel;
        if (known == null) {
            TlsInfo info = new TlsInfo(below(), engine.session(), serverName, engine.applicationProtocol());
            known = below().channel().withoutFiles().with(info);
            channel = known;
        }
        return known;
    }

    TlsEngine engine() {
        return engine;
    }

    HandlerRelay relay() {
        return relay;
    }

    /** Sends pending messages of the engine. */
    void flush() {
        writer.flush();
    }

    /** As {@link #flush}, on the reading thread, which does not wait for the peer: the peer may not read before its output is read. */
    void flushBesideReading() {
        writer.flushBesideReading();
    }

    /** A direction has ended. Closes the connection if both have. */
    void directionEnded() {
        if (reader.isEnded() && writer.isEnded()) {
            below().close(null);
        }
    }

    /** The connection below is closed. */
    void closed() {
        reader.close();
        engine.release();
    }

    /** Closes the connection after an exception of a handler or a completion. Thread-safe. */
    void failed(Throwable thrown) {
        below().close(thrown); // before logging, which may fail too
        CoreLog.TLS.tlsFailed(thrown);
    }

    /** The properties of a connection whose TLS is terminated here. */
    private record TlsInfo(
            Connection below,
            SSLSession tlsSession,
            @Nullable String tlsServerName,
            @Nullable String applicationProtocol)
            implements ConnectionInfo {

        @Override
        public SocketAddress local() {
            return below.channel().info().local();
        }

        @Override
        public SocketAddress remote() {
            return below.channel().info().remote();
        }

        @Override
        public ConnectionInfo direct() {
            ConnectionInfo plain = below.channel().info();
            return plain.frontEnd() == null ? this : plain.direct();
        }

        @Override
        public @Nullable FrontEnd frontEnd() {
            return below.channel().info().frontEnd();
        }

        @Override
        public boolean isSecure() {
            return true;
        }
    }

    /**
     * Forwards the events of the connection below to the handler above, and also notifies it of input that is buffered here: serially,
     * never nested.
     */
    static final class HandlerRelay implements ConnectionHandler {

        private static final VarHandle HANDLER =
                AtomicField.of(MethodHandles.lookup(), "handler", ConnectionHandler.class);

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
}
