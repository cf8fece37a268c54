package io.millrace.websocket.jsr;

import io.millrace.io.Delays;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketExtension;
import io.millrace.websocket.WebSocketListener;
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
 * A session of an endpoint, of a server or a client: JSR 356's view of a connection. Any thread. What few sessions need is made
 * when it is first asked for, since most sessions are idle.
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
    private @Nullable BasicRemote basic;
    private @Nullable AsyncRemote async;
    private @Nullable SessionOutput outgoing;

    /**
     * One that has neither connection nor endpoint yet.
     *
     * @param config this session's view of it
     * @param properties the session's, which its config shows too
     */
    public JsrSession(EndpointRuntime runtime, EndpointConfig config, UserProperties properties, SessionFacts facts) {
        this.runtime = runtime;
        this.config = config;
        this.properties = properties;
        this.facts = facts;
        this.coders = new Coders(runtime.coders(), config);
    }

    /** What runs it on a connection. */
    public WebSocketListener listener() {
        return new SessionEvents(this);
    }

    // What the container does with it.

    EndpointRuntime runtime() {
        return runtime;
    }

    /** As the endpoint was deployed, with this session's user properties. */
    public EndpointConfig config() {
        return config;
    }

    UserProperties properties() {
        return properties;
    }

    /** Says which instance is to be called, before the connection opens. */
    public void endpoint(Object instance) {
        endpoint = instance;
    }

    /** The endpoint's instance. */
    public Object endpoint() {
        return Objects.requireNonNull(endpoint);
    }

    /** What the handshake said. */
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

    @Nullable
    MessageReceiver receiver(MessageKind kind) {
        return receivers.of(kind);
    }

    /** Gives a failure to the endpoint's error handler; with the application's class loader. */
    void tell(Throwable failure) {
        tell(failure, true);
    }

    /** @param log if there is no error handler */
    void tell(Throwable failure, boolean log) {
        try {
            if (!runtime.calls().error(this, failure) && log) {
                EndpointFaults.log(this, failure);
            }
        } catch (Throwable again) {
            WebSocketLog.LOG.errorHandlerFailed(endpoint().getClass().getName(), again);
        }
    }

    /** The endpoint knows of the end. */
    void end() {
        ended = true;
        runtime.group().remove(this);
    }

    /** Cuts its connection. */
    public void abort(String why) {
        WebSocketConnection known = connection;
        if (known != null) {
            known.abort(new IOException(why));
        }
    }

    /** Its connection. */
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
            known = new SessionOutput(this);
            outgoing = known;
        }
        return known;
    }

    private WebSocketConnection usable() {
        if (ended) {
            throw new SessionClosedException(id);
        }
        return connection();
    }

    // Message handlers.

    @Override
    public void addMessageHandler(MessageHandler handler) {
        usable();
        if (handler instanceof MessageHandler.Whole<?> || handler instanceof MessageHandler.Partial<?>) {
            receivers.add(HandlerReceiver.of(handler, runtime.coders()));
        } else {
            throw new IllegalArgumentException(
                    "a message handler is a MessageHandler.Whole or a MessageHandler.Partial");
        }
    }

    @Override
    public <T> void addMessageHandler(Class<T> type, MessageHandler.Whole<T> handler) {
        usable();
        receivers.add(HandlerReceiver.whole(type, handler, runtime.coders()));
    }

    @Override
    public <T> void addMessageHandler(Class<T> type, MessageHandler.Partial<T> handler) {
        usable();
        receivers.add(HandlerReceiver.partial(type, handler));
    }

    @Override
    public Set<MessageHandler> getMessageHandlers() {
        usable();
        return receivers.handlers();
    }

    @Override
    public void removeMessageHandler(MessageHandler handler) {
        usable();
        receivers.remove(handler);
    }

    // What was agreed upon, and what may be changed.

    @Override
    public WebSocketContainer getContainer() {
        usable();
        return runtime.container();
    }

    @Override
    public String getProtocolVersion() {
        usable();
        return "13";
    }

    @Override
    public String getNegotiatedSubprotocol() {
        String agreed = usable().info().subprotocol();
        return agreed == null ? "" : agreed;
    }

    @Override
    public List<Extension> getNegotiatedExtensions() {
        List<Extension> extensions = new ArrayList<>();
        for (WebSocketExtension agreed : usable().info().extensions()) {
            extensions.add(new NamedExtension(agreed));
        }
        return extensions;
    }

    @Override
    public boolean isSecure() {
        return usable().request().scheme().equals("https");
    }

    @Override
    public boolean isOpen() {
        WebSocketConnection known = connection;
        return !ended && known != null && known.isOpen();
    }

    @Override
    public long getMaxIdleTimeout() {
        return usable().options().get(WebSocketOptions.IDLE_TIMEOUT).toMillis();
    }

    @Override
    public void setMaxIdleTimeout(long milliseconds) {
        WebSocketConnection known = usable();
        Duration timeout = Duration.ofNanos(Delays.nanosOfMillis(milliseconds));
        known.options(known.options().with(WebSocketOptions.IDLE_TIMEOUT, timeout));
    }

    @Override
    public void setMaxBinaryMessageBufferSize(int octets) {
        WebSocketConnection known = usable();
        known.options(known.options().with(WebSocketOptions.MAX_BINARY_SIZE, octets));
    }

    @Override
    public int getMaxBinaryMessageBufferSize() {
        return usable().options().get(WebSocketOptions.MAX_BINARY_SIZE);
    }

    @Override
    public void setMaxTextMessageBufferSize(int octets) {
        WebSocketConnection known = usable();
        known.options(known.options().with(WebSocketOptions.MAX_TEXT_SIZE, octets));
    }

    @Override
    public int getMaxTextMessageBufferSize() {
        return usable().options().get(WebSocketOptions.MAX_TEXT_SIZE);
    }

    @Override
    public synchronized RemoteEndpoint.Async getAsyncRemote() {
        usable();
        AsyncRemote known = async;
        if (known == null) {
            known = new AsyncRemote(outgoing());
            async = known;
        }
        return known;
    }

    @Override
    public synchronized RemoteEndpoint.Basic getBasicRemote() {
        usable();
        BasicRemote known = basic;
        if (known == null) {
            known = new BasicRemote(outgoing());
            basic = known;
        }
        return known;
    }

    // The end.

    @Override
    public void close() {
        close(new CloseReason(CloseReason.CloseCodes.NORMAL_CLOSURE, null));
    }

    /**
     * Closes the session; what was sent before is sent. Codes that must not be sent (RFC 6455, 7.4.1) become 1000, if they say
     * that there is none, or 1002.
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
            runtime.group().remove(this); // it is no open one, though the peer has yet to answer
        }
    }

    // The handshake.

    @Override
    public String getId() {
        usable();
        return Long.toHexString(id);
    }

    @Override
    public URI getRequestURI() {
        WebSocketConnection known = usable();
        URI uri = facts.uri();
        return uri != null ? uri : RequestUri.of(known.request());
    }

    @Override
    public Map<String, List<String>> getRequestParameterMap() {
        usable();
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
        usable();
        return properties.map();
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        usable();
        return facts.principal();
    }

    @Override
    public Set<Session> getOpenSessions() {
        usable();
        return runtime.group().open();
    }

    @Override
    public String toString() {
        return "WebSocket session " + Long.toHexString(id);
    }
}
