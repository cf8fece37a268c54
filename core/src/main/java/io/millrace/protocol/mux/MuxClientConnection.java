package io.millrace.protocol.mux;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionListener;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Turns;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server, which carries many requests at a time: as many as the server allows, and not more than {@link
 * MuxOptions#MAX_CONCURRENT_STREAMS}. The other timeouts and windows of {@link MuxOptions} are for responses and requests in place of
 * requests and responses; keepAliveTimeout ends a connection without requests.
 *
 * <p>When the server says GOAWAY it takes no more requests; those that the server will not serve are told so, the others are served.
 */
final class MuxClientConnection extends MuxConnection implements ClientSession {

    /** How many streams a server is expected to allow before it has said so (RFC 9113, 6.5.2). */
    private static final int USUAL_STREAMS = 100;

    /** No worker sends here, so nobody waits for one. */
    private static final Turns NO_TURNS = task -> {
        throw new RejectedExecutionException("a client has no workers");
    };

    private final SessionListener listener;
    private final MuxClientInput input;

    // guarded by the output lock
    private int nextId = 1;
    private int peerStreams = USUAL_STREAMS;

    private MuxClientConnection(
            MuxContext context,
            Connection connection,
            FrameReader reader,
            FrameWriter writer,
            SessionListener listener) {
        super(context, connection, null, NO_TURNS, reader, writer, reader.isWithinFrame());
        this.listener = listener;
        input = new MuxClientInput(this);
    }

    /** How many streams a connection is expected to carry at a time, before its server has said what it allows. */
    public static int expectedStreams(MuxContext context) {
        return Math.min(USUAL_STREAMS, context.options().get(MuxOptions.MAX_CONCURRENT_STREAMS));
    }

    /**
     * Begins on a connection that was dialled. By its owner.
     *
     * @param agreed by ALPN, which the server has to choose where there is TLS; plain connections are not asked
     */
    static MuxClientConnection open(
            MuxContext context,
            Connection connection,
            String agreed,
            FrameReader reader,
            FrameWriter writer,
            SessionListener listener)
            throws ClientException {
        ConnectionInfo info = connection.channel().info();
        String chosen = info.applicationProtocol();
        if (info.isSecure() && !agreed.equals(chosen)) {
            throw new ClientException(
                    Reason.TLS,
                    Processed.NO,
                    "the server " + info.remote() + " does not speak " + agreed + ": it has chosen "
                            + (chosen == null ? "nothing" : chosen) + " of what was offered by ALPN",
                    null);
        }
        MuxClientConnection opened = new MuxClientConnection(context, connection, reader, writer, listener);
        connection.install(opened);
        opened.open();
        return opened;
    }

    // ---- what clients call

    @Override
    public @Nullable ClientStream start(ClientRequest request, ResponseListener response) {
        if (request.upgrade() != null) {
            MuxClientStream none = new MuxClientStream(this, 0, request, response, 0);
            none.refuse("streams have no upgrades, such as that to " + request.upgrade());
            listener.onIdle(this);
            return none;
        }
        MuxClientStream stream = null;
        synchronized (output()) {
            if (streams().running() < most() && nextId > 0) {
                stream = new MuxClientStream(
                        this, nextId, request, response, streams().initialWindow());
                nextId += 2; // negative after the last
                streams().open(stream);
                output().request(stream, request, stream::onHeadSent);
            }
        }
        if (stream == null) {
            listener.onIdle(this); // what was given for this request is free again
            return null;
        }
        output().tell();
        output().pump().flushSoon();
        return stream;
    }

    @Override
    public boolean isIdle() {
        synchronized (output()) {
            return streams().running() < most();
        }
    }

    @Override
    public boolean isKept() {
        synchronized (output()) {
            return nextId > 1;
        }
    }

    @Override
    public int limit() {
        synchronized (output()) {
            return most();
        }
    }

    /** With the output lock. */
    private int most() {
        boolean serving = shutdown().state() == MuxState.OPEN && !isDraining() && nextId > 0;
        return serving ? Math.min(peerStreams, context().options().get(MuxOptions.MAX_CONCURRENT_STREAMS)) : 0;
    }

    @Override
    public void close(@Nullable Throwable cause) {
        transport().close(cause);
    }

    @Override
    public ConnectionInfo info() {
        return transport().channel().info();
    }

    // ---- what streams and the input call

    /** A request is over. */
    void over() {
        listener.onIdle(this);
    }

    /** The server has said what it allows. */
    void allow(PeerSettings settings) {
        synchronized (output()) {
            if (settings.maxStreams() != PeerSettings.UNSAID) {
                peerStreams = settings.maxStreams();
            }
        }
        listener.onLimit(this);
    }

    // ---- what the connection calls

    @Override
    MuxInput input() {
        return input;
    }

    @Override
    void peerEnded() {
        transport().close(null);
    }

    @Override
    void beginDrain() {
        shutdown().last();
    }

    /** Servers open no streams here. */
    @Override
    int lastOfPeer() {
        return 0;
    }

    /** Each of its requests tells of it. */
    @Override
    void note(ConnectionFault fault) {}

    @Override
    public void onClosed(@Nullable Throwable cause) {
        try {
            super.onClosed(cause);
        } finally {
            listener.onClosed(this);
        }
    }
}
