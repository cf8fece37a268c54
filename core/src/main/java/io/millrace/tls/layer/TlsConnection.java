package io.millrace.tls.layer;

import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ForwardingConnection;
import io.millrace.io.Payload;
import io.millrace.tls.TlsEngine;
import java.io.IOException;
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
        TlsLog.LOG.handlerFailed(thrown);
    }
}
