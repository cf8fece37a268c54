package io.millrace.client.mux;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionListener;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Turns;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameReader;
import io.millrace.protocol.mux.FrameSink;
import io.millrace.protocol.mux.MuxConnection;
import io.millrace.protocol.mux.MuxContext;
import io.millrace.protocol.mux.MuxInput;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.protocol.mux.MuxStream;
import io.millrace.protocol.mux.PeerSettings;
import io.millrace.protocol.mux.Priority;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server with many concurrent requests: as many as the server allows, at most {@link
 * MuxOptions#MAX_CONCURRENT_STREAMS}. The timeouts and windows of {@link MuxOptions} for requests apply to responses, and
 * vice versa; keepAliveTimeout closes a connection without requests.
 *
 * <p>After the server's GOAWAY it accepts no more requests; those that the server will not process fail, the others
 * continue.
 */
final class MuxClientConnection extends MuxConnection implements ClientSession {

    /** The number of streams that a server is expected to allow, until its settings arrive (RFC 9113, 6.5.2). */
    private static final int USUAL_STREAMS = 100;

    /**
     * So many requests are given up on a connection. Servers count the streams that a client resets, and end its connection with all
     * requests on it, which may be other clients' of a proxy: Millrace after 1000, others after less.
     */
    static final int MAX_GIVEN_UP = 100;

    /** No worker sends here, so that no flush is left to one. */
    private static final Turns NO_TURNS = task -> {
        throw new RejectedExecutionException("a client has no workers");
    };

    static final String NO_TUNNELS =
            "the server does not support tunnels on its connections (RFC 8441, 3), which a WebSocket requires";

    private final SessionListener listener;
    private final ClientFrameWriter writer;
    private final Input input;

    // guarded by the lock
    private int nextId = 1;
    private int givenUp;
    private int peerStreams = USUAL_STREAMS;
    private TunnelSupport support;
    private final Set<PendingTunnel> pendingTunnels = new LinkedHashSet<>();

    private MuxClientConnection(
            MuxContext context,
            Connection connection,
            FrameReader reader,
            ClientFrameWriter writer,
            SessionListener listener) {
        super(context, connection, null, NO_TURNS, reader, writer, reader.isWithinFrame());
        this.listener = listener;
        this.writer = writer;
        input = new Input();
        support = writer.hasTunnels() ? TunnelSupport.UNKNOWN : TunnelSupport.NEVER;
    }

    /** The number of concurrent streams that a connection is expected to allow, before the server's settings arrive. */
    public static int expectedStreams(MuxContext context) {
        return Math.min(USUAL_STREAMS, context.options().get(MuxOptions.MAX_CONCURRENT_STREAMS));
    }

    /**
     * Opens the protocol on a new connection. Called by its owner.
     *
     * @param agreed the ALPN id, which the server must have selected if there is TLS; not checked on plain connections
     */
    static MuxClientConnection open(
            MuxContext context,
            Connection connection,
            String agreed,
            FrameReader reader,
            ClientFrameWriter writer,
            SessionListener listener)
            throws ClientException {
        ConnectionInfo info = connection.channel().info();
        String chosen = info.applicationProtocol();
        if (info.isSecure() && !agreed.equals(chosen)) {
            throw new ClientException(
                    Reason.TLS,
                    Processed.NO,
                    "the server " + info.remote() + " does not support " + agreed + ": it selected "
                            + (chosen == null ? "no protocol" : chosen) + " by ALPN",
                    null);
        }
        MuxClientConnection opened = new MuxClientConnection(context, connection, reader, writer, listener);
        connection.install(opened);
        opened.open();
        return opened;
    }

    // ---- called by clients

    @Override
    public @Nullable ClientStream start(ClientRequest request, ResponseListener response) {
        return request.upgrade() == null ? begin(request, response) : beginTunnel(request, response);
    }

    private @Nullable ClientStream beginTunnel(ClientRequest request, ResponseListener response) {
        PendingTunnel pending = new PendingTunnel(this, request, response);
        TunnelSupport known;
        synchronized (lock()) {
            known = support;
            if (maxRequests() == 0) {
                known = TunnelSupport.YES; // no stream can be opened: begin() fails
            } else if (known == TunnelSupport.UNKNOWN) {
                pendingTunnels.add(pending);
            }
        }
        if (known == TunnelSupport.YES) {
            return begin(request, response);
        }
        if (known == TunnelSupport.UNKNOWN) {
            pending.waitFor(channel().timers(), responseTimeout());
        } else {
            pending.proceed(known);
        }
        return pending;
    }

    /** The timeout of each wait for the server; zero for none. */
    Duration responseTimeout() {
        return context().options().get(MuxOptions.STREAM_READ_TIMEOUT);
    }

    /** Removes a tunnel that no longer waits for the server's settings. */
    void forget(PendingTunnel tunnel) {
        synchronized (lock()) {
            pendingTunnels.remove(tunnel);
        }
    }

    /** Sends a request; null if the connection accepts no more, like {@link #start}. If this throws, there is no stream. */
    @Nullable
    ClientStream begin(ClientRequest request, ResponseListener response) {
        MuxClientStream stream = null;
        synchronized (lock()) {
            if (running() < maxRequests() && nextId > 0) {
                int id = nextId;
                boolean tunnel = request.upgrade() != null;
                stream = new MuxClientStream(this, id, request, response);
                nextId += 2; // negative after the last
                open(
                        stream,
                        (same, length, end, to) -> writer.request(id, request, end, to),
                        tunnel ? -1 : request.contentLength(),
                        !request.hasBody() && !tunnel,
                        stream::onHeadSent);
            }
        }
        if (stream == null) {
            listener.onIdle(this, request.client()); // the slot that was reserved for this request is free again
            return null;
        }
        try {
            flush();
        } catch (RuntimeException | Error thrown) { // the close fails the stream, which notifies its listener
            failed(thrown);
        }
        return stream;
    }

    @Override
    public boolean isIdle() {
        synchronized (lock()) {
            return running() < maxRequests();
        }
    }

    @Override
    public boolean isKept() {
        synchronized (lock()) {
            return nextId > 1;
        }
    }

    @Override
    public int limit() {
        synchronized (lock()) {
            return maxRequests();
        }
    }

    /** Called with the {@link MuxLock} held. */
    private int maxRequests() {
        lock().assertHeld();
        boolean serving = isOpen() && !isDraining() && nextId > 0;
        return serving ? Math.min(peerStreams, context().options().get(MuxOptions.MAX_CONCURRENT_STREAMS)) : 0;
    }

    @Override
    public void retire() {
        acceptNoMore();
    }

    @Override
    public void close(@Nullable Throwable cause) {
        transport().close(cause);
    }

    @Override
    public ConnectionInfo info() {
        return transport().channel().info();
    }

    // ---- called by streams and the input

    /** A request has ended. */
    void requestEnded(ClientRequest ended) {
        listener.onIdle(this, ended.client());
    }

    /** A request was given up before its response was complete: after some, the connection takes no more requests, and others go on. */
    void requestGivenUp() {
        boolean enough;
        synchronized (lock()) {
            enough = ++givenUp == MAX_GIVEN_UP;
        }
        if (enough) {
            acceptNoMore();
            listener.onLimit(this);
        }
    }

    /** The server's settings have arrived. */
    void allow(PeerSettings settings) {
        synchronized (lock()) {
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
        synchronized (lock()) {
            return support;
        }
    }

    private List<PendingTunnel> pending() {
        synchronized (lock()) {
            return List.copyOf(pendingTunnels);
        }
    }

    // ---- called by the connection

    @Override
    protected FrameSink input() {
        return input;
    }

    @Override
    protected void opened() {}

    @Override
    protected void notifyStreams() {
        input.notifyStreams();
    }

    @Override
    protected void peerEnded(boolean truncated) {
        transport().close(null);
    }

    @Override
    protected void beginDrain() {
        acceptNoMore();
    }

    /** Servers open no streams here, since push is disabled. */
    @Override
    protected int lastOfPeer() {
        return 0;
    }

    /** Not logged: each request fails with it. */
    @Override
    protected void note(ConnectionFault fault) {}

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
                    Reason.CLOSED, Processed.MAYBE, "the server closed the connection before it had sent its settings");
        } catch (Throwable error) { // the others are still notified
            failed(error);
        }
    }

    /** The input from a server: responses to our requests. Servers open no streams, since push is disabled. */
    private final class Input extends MuxInput {

        Input() {
            super(MuxClientConnection.this);
        }

        // ---- responses

        @Override
        public HeadersKind headers(int id, boolean end) throws ConnectionFault {
            count();
            requireOdd(id);
            MuxStream stream = find(id);
            if (stream != null) {
                boolean waits = stream instanceof MuxClientStream own && !own.mayHaveBody() && own.isPeerSending();
                return waits ? HeadersKind.RESPONSE : trailersOf(stream);
            }
            if (isUnused(id)) {
                throw new ConnectionFault(Fault.PROTOCOL, "a response on stream " + id + ", which was not opened");
            }
            closed(id);
            return HeadersKind.IGNORED;
        }

        @Override
        public void interim(int id, int status, Headers fields) throws ConnectionFault {
            if (!(find(id) instanceof MuxClientStream stream)) {
                return; // ended meanwhile
            }
            if (status == Status.SWITCHING_PROTOCOLS) {
                fault(stream, Fault.PROTOCOL, "status 101, which is not allowed on streams");
            } else if (!stream.mayInform()) {
                fault(stream, Fault.PROTOCOL, "too many interim responses");
            } else {
                stream.inform(status, fields);
            }
        }

        @Override
        public void response(int id, ResponseHead head, boolean end) throws ConnectionFault {
            if (!(find(id) instanceof MuxClientStream stream)) {
                return; // ended meanwhile
            }
            long length = stream.bodyLength(head);
            if (end && length > 0) {
                fault(stream, Fault.PROTOCOL, "a response with a Content-Length, but without a body");
                return;
            }
            beginBody(stream, length, end);
            stream.answer(head);
        }

        // ---- the connection

        @Override
        public void settings(PeerSettings settings) throws ConnectionFault {
            super.settings(settings);
            allow(settings);
        }

        /** A server sends no priorities. */
        @Override
        public void priority(int id, Priority priority) throws ConnectionFault {
            glitch();
        }

        /** Requests above the last id are not processed, and may be sent again. */
        @Override
        public void goAway(int lastId, Fault fault) throws ConnectionFault {
            count();
            countGlitch();
            peerLeaves(
                    lastId,
                    () -> new ClientException(
                            Reason.REFUSED,
                            Processed.NO,
                            "the server is closing the connection, and has not processed the request",
                            null));
        }
    }

    /**
     * Whether the server of a connection supports tunnels (RFC 8441, 3).
     *
     * <pre>
     * from     settings          to
     * UNKNOWN  allow tunnels     YES
     * UNKNOWN  do not            NO
     * NO       allow tunnels     YES
     * NO       do not            NO
     * YES      any               YES    a server must not revoke it
     * NEVER    any               NEVER  the protocol has no tunnels
     * </pre>
     */
    enum TunnelSupport {
        UNKNOWN,
        YES,
        NO,
        NEVER;

        /** The next state, after the server's settings. */
        TunnelSupport next(boolean allowed) {
            return switch (this) {
                case YES, NEVER -> this;
                case UNKNOWN, NO -> allowed ? YES : NO;
            };
        }
    }
}
