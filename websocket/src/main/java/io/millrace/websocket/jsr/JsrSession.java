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
import java.util.HashSet;
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
    /** By {@link MessageKind#index}; replaced as a whole, by those who hold the lock. */
    private volatile @Nullable MessageReceiver[] receivers = new @Nullable MessageReceiver[MessageKind.COUNT];

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
        WebSocketOptions options = opened.options();
        for (MessageReceiver receiver : runtime.calls().receivers()) {
            add(receiver);
            int most = (int) Math.min(Integer.MAX_VALUE, receiver.maxMessageSize());
            if (most >= 0 && receiver.kind() == MessageKind.TEXT) {
                options = options.withMaxTextSize(most);
            } else if (most >= 0 && receiver.kind() == MessageKind.BINARY) {
                options = options.withMaxBinarySize(most);
            }
        }
        opened.options(options);
        runtime.group().add(this);
    }

    @Nullable
    MessageReceiver receiver(MessageKind kind) {
        return receivers[kind.index()];
    }

    /** Gives a failure to the endpoint's error handler; with the application's class loader. */
    void tell(Throwable failure) {
        tell(failure, true);
    }

    /** @param log if there is no error handler */
    void tell(Throwable failure, boolean log) {
        try {
            if (!runtime.calls().error(this, failure) && log) {
                WebSocketLog.LOG.failed(endpoint().getClass().getName(), failure);
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
            throw new IllegalStateException(
                    "session " + Long.toHexString(id) + " is closed; only close() and isOpen() may be called any more");
        }
        return connection();
    }

    // Message handlers.

    @Override
    public void addMessageHandler(MessageHandler handler) {
        usable();
        if (handler instanceof MessageHandler.Whole<?> || handler instanceof MessageHandler.Partial<?>) {
            add(HandlerReceiver.of(handler, runtime.coders()));
        } else {
            throw new IllegalArgumentException(
                    "a message handler is a MessageHandler.Whole or a MessageHandler.Partial");
        }
    }

    @Override
    public <T> void addMessageHandler(Class<T> type, MessageHandler.Whole<T> handler) {
        usable();
        add(HandlerReceiver.whole(type, handler, runtime.coders()));
    }

    @Override
    public <T> void addMessageHandler(Class<T> type, MessageHandler.Partial<T> handler) {
        usable();
        add(HandlerReceiver.partial(type, handler));
    }

    private synchronized void add(MessageReceiver receiver) {
        @Nullable MessageReceiver[] changed = receivers.clone();
        MessageReceiver before = changed[receiver.kind().index()];
        if (before != null) {
            throw new IllegalStateException("the session has a handler of " + receiver.kind()
                    + " messages already; one of each kind is allowed (JSR 356, Session.addMessageHandler)");
        }
        changed[receiver.kind().index()] = receiver;
        receivers = changed;
    }

    @Override
    public Set<MessageHandler> getMessageHandlers() {
        usable();
        Set<MessageHandler> handlers = new HashSet<>();
        for (MessageReceiver receiver : receivers) {
            if (receiver instanceof HandlerReceiver known) {
                handlers.add(known.handler());
            }
        }
        return handlers;
    }

    @Override
    public synchronized void removeMessageHandler(MessageHandler handler) {
        usable();
        @Nullable MessageReceiver[] changed = receivers.clone();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] instanceof HandlerReceiver known && known.handler().equals(handler)) {
                changed[i] = null;
                receivers = changed;
                return;
            }
        }
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
        return usable().options().idleTimeout().toMillis();
    }

    @Override
    public void setMaxIdleTimeout(long milliseconds) {
        WebSocketConnection known = usable();
        Duration timeout = Duration.ofNanos(Delays.nanosOfMillis(milliseconds));
        known.options(known.options().withIdleTimeout(timeout));
    }

    @Override
    public void setMaxBinaryMessageBufferSize(int octets) {
        WebSocketConnection known = usable();
        known.options(known.options().withMaxBinarySize(octets));
    }

    @Override
    public int getMaxBinaryMessageBufferSize() {
        return usable().options().maxBinarySize();
    }

    @Override
    public void setMaxTextMessageBufferSize(int octets) {
        WebSocketConnection known = usable();
        known.options(known.options().withMaxTextSize(octets));
    }

    @Override
    public int getMaxTextMessageBufferSize() {
        return usable().options().maxTextSize();
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
