package io.millrace.websocket.jsr;

import io.millrace.http.RequestHead;
import io.millrace.io.Delays;
import io.millrace.io.LogThrottle;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketExtension;
import io.millrace.websocket.WebSocketOptions;
import java.io.IOException;
import java.net.URI;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.websocket.CloseReason;
import javax.websocket.EndpointConfig;
import javax.websocket.Extension;
import javax.websocket.MessageHandler;
import javax.websocket.RemoteEndpoint;
import javax.websocket.Session;
import javax.websocket.WebSocketContainer;
import org.jspecify.annotations.Nullable;

/**
 * A session of a server or client endpoint: JSR 356's view of a connection. Thread-safe. Objects that few sessions need are
 * created on first use, since most sessions are idle.
 */
public final class JsrSession implements Session {

    private static final AtomicLong IDS = new AtomicLong();

    private final EndpointRuntime runtime;
    private final EndpointConfig config;
    private final UserProperties properties;
    private final SessionFacts facts;
    private @Nullable Object endpoint;
    private final Coders coders;
    private final long id = IDS.incrementAndGet();
    private final MessageReceivers receivers = new MessageReceivers();
    private volatile @Nullable WebSocketConnection connection;
    private volatile boolean ended;
    // guarded by this
    private Remote.@Nullable BasicRemote basic;
    private Remote.@Nullable AsyncRemote async;
    private @Nullable SessionOutput outgoing;

    /**
     * Creates a session that has neither connection nor endpoint yet.
     *
     * @param config this session's view of the endpoint's configuration
     * @param properties the session's user properties, which its config returns too
     */
    public JsrSession(EndpointRuntime runtime, EndpointConfig config, UserProperties properties, SessionFacts facts) {
        this.runtime = runtime;
        this.config = config;
        this.properties = properties;
        this.facts = facts;
        this.coders = new Coders(runtime.coders(), config);
    }

    EndpointRuntime runtime() {
        return runtime;
    }

    /** The configuration of the deployed endpoint, with this session's user properties. */
    public EndpointConfig config() {
        return config;
    }

    UserProperties properties() {
        return properties;
    }

    /** Sets the endpoint instance. Called before the connection opens. */
    public void endpoint(Object instance) {
        endpoint = instance;
    }

    /** The endpoint instance. */
    public Object endpoint() {
        return Objects.requireNonNull(endpoint);
    }

    /** The data of the handshake. */
    public SessionFacts facts() {
        return facts;
    }

    Coders coders() {
        return coders;
    }

    void connect(WebSocketConnection opened) {
        connection = opened;
        opened.options(receivers.addAll(runtime.calls().receivers(), opened.options()));
        runtime.group().add(this);
    }

    MessageReceivers.@Nullable Receiver receiver(MessageKind kind) {
        return receivers.of(kind);
    }

    /** Passes a failure to the endpoint's error handler. Called with the application's context class loader. */
    void reportError(Throwable failure) {
        reportError(failure, true);
    }

    /** @param log whether to log the failure if there is no error handler */
    void reportError(Throwable failure, boolean log) {
        try {
            if (!runtime.calls().error(this, failure) && log) {
                EndpointFaults.log(this, failure);
            }
        } catch (Throwable again) {
            WebSocketLog.ENDPOINTS.errorHandlerFailed(endpoint().getClass().getName(), again);
        }
    }

    /** Called after the endpoint was notified of the end. */
    void end() {
        ended = true;
        runtime.group().remove(this);
    }

    /** Aborts the connection. */
    public void abort(String why) {
        WebSocketConnection known = connection;
        if (known != null) {
            known.abort(new IOException(why));
        }
    }

    WebSocketConnection connection() {
        WebSocketConnection known = connection;
        if (known == null) {
            throw new IllegalStateException("the session has not been opened");
        }
        return known;
    }

    synchronized SessionOutput outgoing() {
        SessionOutput known = outgoing;
        if (known == null) {
            known = new SessionOutput(connection(), runtime, coders, properties);
            outgoing = known;
        }
        return known;
    }

    /** @throws SessionClosedException if the session has ended */
    private WebSocketConnection requireOpen() {
        if (ended) {
            throw new SessionClosedException(id);
        }
        return connection();
    }

    @Override
    public void addMessageHandler(MessageHandler handler) {
        requireOpen();
        if (handler instanceof MessageHandler.Whole<?> || handler instanceof MessageHandler.Partial<?>) {
            receivers.add(MessageReceivers.HandlerReceiver.of(handler, runtime.coders()));
        } else {
            throw new IllegalArgumentException(
                    "a message handler is a MessageHandler.Whole or a MessageHandler.Partial");
        }
    }

    @Override
    public <T> void addMessageHandler(Class<T> type, MessageHandler.Whole<T> handler) {
        requireOpen();
        receivers.add(MessageReceivers.HandlerReceiver.whole(type, handler, runtime.coders()));
    }

    @Override
    public <T> void addMessageHandler(Class<T> type, MessageHandler.Partial<T> handler) {
        requireOpen();
        receivers.add(MessageReceivers.HandlerReceiver.partial(type, handler));
    }

    @Override
    public Set<MessageHandler> getMessageHandlers() {
        requireOpen();
        return receivers.handlers();
    }

    @Override
    public void removeMessageHandler(MessageHandler handler) {
        requireOpen();
        receivers.remove(handler);
    }

    @Override
    public WebSocketContainer getContainer() {
        requireOpen();
        return runtime.container();
    }

    @Override
    public String getProtocolVersion() {
        requireOpen();
        return "13";
    }

    @Override
    public String getNegotiatedSubprotocol() {
        String agreed = requireOpen().info().subprotocol();
        return agreed == null ? "" : agreed;
    }

    @Override
    public List<Extension> getNegotiatedExtensions() {
        List<Extension> extensions = new ArrayList<>();
        for (WebSocketExtension agreed : requireOpen().info().extensions()) {
            extensions.add(new NamedExtension(agreed));
        }
        return extensions;
    }

    @Override
    public boolean isSecure() {
        return requireOpen().request().scheme().equals("https");
    }

    @Override
    public boolean isOpen() {
        WebSocketConnection known = connection;
        return !ended && known != null && known.isOpen();
    }

    @Override
    public long getMaxIdleTimeout() {
        return requireOpen().options().get(WebSocketOptions.IDLE_TIMEOUT).toMillis();
    }

    @Override
    public void setMaxIdleTimeout(long milliseconds) {
        WebSocketConnection known = requireOpen();
        Duration timeout = Duration.ofNanos(Delays.nanosOfMillis(milliseconds));
        known.options(known.options().with(WebSocketOptions.IDLE_TIMEOUT, timeout));
    }

    @Override
    public void setMaxBinaryMessageBufferSize(int bytes) {
        WebSocketConnection known = requireOpen();
        known.options(known.options().with(WebSocketOptions.MAX_BINARY_SIZE, bytes));
    }

    @Override
    public int getMaxBinaryMessageBufferSize() {
        return requireOpen().options().get(WebSocketOptions.MAX_BINARY_SIZE);
    }

    @Override
    public void setMaxTextMessageBufferSize(int bytes) {
        WebSocketConnection known = requireOpen();
        known.options(known.options().with(WebSocketOptions.MAX_TEXT_SIZE, bytes));
    }

    @Override
    public int getMaxTextMessageBufferSize() {
        return requireOpen().options().get(WebSocketOptions.MAX_TEXT_SIZE);
    }

    @Override
    public synchronized RemoteEndpoint.Async getAsyncRemote() {
        requireOpen();
        Remote.AsyncRemote known = async;
        if (known == null) {
            known = new Remote.AsyncRemote(outgoing());
            async = known;
        }
        return known;
    }

    @Override
    public synchronized RemoteEndpoint.Basic getBasicRemote() {
        requireOpen();
        Remote.BasicRemote known = basic;
        if (known == null) {
            known = new Remote.BasicRemote(outgoing());
            basic = known;
        }
        return known;
    }

    @Override
    public void close() {
        close(new CloseReason(CloseReason.CloseCodes.NORMAL_CLOSURE, null));
    }

    /**
     * Closes the session after all messages that were sent before. Codes that must not be sent (RFC 6455, 7.4.1) are replaced:
     * 1005, no code, by 1000, others by 1002.
     */
    @Override
    public void close(CloseReason reason) {
        WebSocketConnection known = connection;
        if (known != null && !ended) {
            int code = reason.getCloseCode().getCode();
            if (!CloseStatus.isSendable(code)) {
                code = code == CloseStatus.NO_CODE.code()
                        ? CloseStatus.NORMAL.code()
                        : CloseReason.CloseCodes.PROTOCOL_ERROR.getCode();
            }
            String phrase = reason.getReasonPhrase();
            known.close(new CloseStatus(code, phrase == null ? "" : phrase));
            runtime.group().remove(this); // it is not open any more, although the peer has not responded yet
        }
    }

    @Override
    public String getId() {
        requireOpen();
        return Long.toHexString(id);
    }

    @Override
    public URI getRequestURI() {
        WebSocketConnection known = requireOpen();
        URI uri = facts.uri();
        return uri != null ? uri : RequestUri.of(known.request());
    }

    @Override
    public Map<String, List<String>> getRequestParameterMap() {
        requireOpen();
        return facts.parameters();
    }

    /** Null if there is none. */
    @Override
    public @Nullable String getQueryString() {
        URI uri = getRequestURI();
        return uri.getRawQuery();
    }

    @Override
    public Map<String, String> getPathParameters() {
        return facts.pathParameters();
    }

    @Override
    public Map<String, Object> getUserProperties() {
        requireOpen();
        return properties.map();
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        requireOpen();
        return facts.principal();
    }

    @Override
    public Set<Session> getOpenSessions() {
        requireOpen();
        return runtime.group().open();
    }

    @Override
    public String toString() {
        return "WebSocket session " + Long.toHexString(id);
    }

    /** Builds the URI of a client's request. */
    private static final class RequestUri {

        private RequestUri() {}

        /**
         * The URI with the scheme {@code ws} or {@code wss}, and with the query.
         *
         * @throws IllegalStateException if the client's path or query is not valid in a URI
         */
        static URI of(RequestHead request) {
            StringBuilder uri = new StringBuilder();
            if (request.authority() != null) {
                uri.append(request.scheme().equals("https") ? "wss://" : "ws://")
                        .append(request.authority());
            }
            uri.append(request.path().raw());
            if (request.query() != null) {
                uri.append('?').append(request.query());
            }
            try {
                return URI.create(uri.toString());
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException(
                        "the path or query of the handshake is not valid in a URI (RFC 3986)", e);
            }
        }
    }

    /**
     * Logs exceptions of endpoints without an error handler. An endpoint that sends to a peer which has disconnected meanwhile has
     * done nothing wrong: that is logged once a minute, without a stack trace.
     */
    private static final class EndpointFaults {

        private enum Kind {
            PEER_GONE
        }

        private static final LogThrottle<Kind> THROTTLE = new LogThrottle<>(Kind.class);

        private EndpointFaults() {}

        static void log(JsrSession session, Throwable failure) {
            String endpoint = session.endpoint().getClass().getName();
            if (session.isOpen() || !isOfConnection(failure)) {
                WebSocketLog.ENDPOINTS.endpointFailed(endpoint, failure);
            } else if (THROTTLE.isDue(Kind.PEER_GONE)) {
                WebSocketLog.ENDPOINTS.peerGone(endpoint, failure.toString().replaceAll("\\p{Cntrl}", "?"));
            }
        }

        private static boolean isOfConnection(Throwable failure) {
            @Nullable Throwable cause = failure;
            while (cause != null && !(cause instanceof IOException) && !(cause instanceof SessionClosedException)) {
                cause = cause.getCause();
            }
            return cause != null;
        }
    }

    /** Thrown by methods of a session that has ended (JSR 356, Session): the peer may close it at any time. */
    private static final class SessionClosedException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        /** @param id of the session */
        SessionClosedException(long id) {
            super("session " + Long.toHexString(id) + " is closed; only close() and isOpen() may still be called");
        }
    }
}
