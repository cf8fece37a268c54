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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

    static final String NO_TUNNELS =
            "the server opens no tunnels on its connections (RFC 8441, 3), so it cannot be asked for a WebSocket";

    private final SessionListener listener;
    private final MuxClientInput input;

    // guarded by the output lock
    private int nextId = 1;
    private int peerStreams = USUAL_STREAMS;
    private TunnelSupport support;
    private final Set<PendingTunnel> pendingTunnels = new LinkedHashSet<>();

    private MuxClientConnection(
            MuxContext context,
            Connection connection,
            FrameReader reader,
            FrameWriter writer,
            SessionListener listener) {
        super(context, connection, null, NO_TURNS, reader, writer, reader.isWithinFrame());
        this.listener = listener;
        input = new MuxClientInput(this);
        support = writer.hasTunnels() ? TunnelSupport.UNKNOWN : TunnelSupport.NEVER;
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
        return request.upgrade() == null ? begin(request, response) : beginTunnel(request, response);
    }

    private @Nullable ClientStream beginTunnel(ClientRequest request, ResponseListener response) {
        PendingTunnel pending = new PendingTunnel(this, request, response);
        TunnelSupport known;
        synchronized (output()) {
            known = support;
            if (most() == 0) {
                known = TunnelSupport.YES; // nothing can be begun, which that finds out
            } else if (known == TunnelSupport.UNKNOWN) {
                pendingTunnels.add(pending);
            }
        }
        if (known == TunnelSupport.YES) {
            return begin(request, response);
        }
        if (known == TunnelSupport.UNKNOWN) {
            pending.waitFor(context().options().get(MuxOptions.STREAM_READ_TIMEOUT));
        } else {
            pending.proceed(known);
        }
        return pending;
    }

    /** It does not wait any more. */
    void forget(PendingTunnel tunnel) {
        synchronized (output()) {
            pendingTunnels.remove(tunnel);
        }
    }

    /** Sends a request; null as {@link #start}. */
    @Nullable
    ClientStream begin(ClientRequest request, ResponseListener response) {
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
            support = support.next(settings.tunnels() == 1);
        }
        listener.onLimit(this);
        for (PendingTunnel each : pending()) {
            each.proceed(support());
        }
    }

    private TunnelSupport support() {
        synchronized (output()) {
            return support;
        }
    }

    private List<PendingTunnel> pending() {
        synchronized (output()) {
            return List.copyOf(pendingTunnels);
        }
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
            pending().forEach(this::lose);
        } finally {
            listener.onClosed(this);
        }
    }

    private void lose(PendingTunnel tunnel) {
        try {
            tunnel.fail(
                    Reason.CLOSED,
                    Processed.MAYBE,
                    "the server closed the connection before it had said whether it opens tunnels");
        } catch (Throwable error) { // the others are told all the same
            failed(error);
        }
    }
}
