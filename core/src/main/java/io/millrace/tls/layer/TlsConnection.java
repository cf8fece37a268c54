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
 * The decrypted side of a connection. What goes in is the {@link TlsReader}'s, what goes out the {@link TlsWriter}'s, and
 * calls of the handler above to {@link HandlerRelay}; this class coordinates them.
 */
final class TlsConnection extends ForwardingConnection {

    private final TlsEngine engine;
    private final TlsReader reader;
    private final TlsWriter writer;
    private final HandlerRelay relay = new HandlerRelay(this);
    private volatile @Nullable Channel channel;

    TlsConnection(Connection below, TlsEngine engine, CipherInput input, RecordBuffers records) {
        super(below);
        this.engine = engine;
        reader = new TlsReader(this, below, engine, input);
        writer = new TlsWriter(this, below, engine, records);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read();
    }

    @Override
    public void awaitReadable() {
        if (reader.hasUnread() || reader.isEnded()) { // a close_notify need not be followed by the end below
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

    /** In good order with close_notify, or the peer could not tell the end from an attack (RFC 8446, 6.1). */
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
            TlsInfo info = new TlsInfo(below(), engine.session(), engine.applicationProtocol());
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

    /** Sends what the engine has to say. */
    void flush() {
        writer.flush();
    }

    /** The same by the thread that reads, which doesn't wait until the peer takes it: that may take nothing before it is read from. */
    void flushBesideReading() {
        writer.flushBesideReading();
    }

    /** A direction has ended by itself. With both ended nothing is left to do. */
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

    /** What a handler or a completion throws is a defect of its own, and ends its connection. Any thread. */
    void failed(Throwable thrown) {
        below().close(thrown); // before logging, which may fail too
        TlsLog.LOG.handlerFailed(thrown);
    }
}
