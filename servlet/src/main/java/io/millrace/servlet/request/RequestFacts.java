package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.RequestId;
import io.millrace.handler.AccessLog;
import io.millrace.handler.PresetAttributes;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestedHost;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.cookie.CookieReader;
import io.millrace.servlet.form.BodyPrefix;
import io.millrace.servlet.form.FormException;
import io.millrace.servlet.form.FormSource;
import io.millrace.servlet.form.Parameters;
import io.millrace.servlet.form.RequestForm;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.security.RequestSecurity;
import io.millrace.servlet.security.SecuredRequest;
import io.millrace.servlet.session.RequestSession;
import io.millrace.servlet.session.SessionCarrier;
import io.millrace.servlet.session.SessionUnavailableException;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Settings;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.servlet.ServletRequestAttributeListener;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The facts of one request, which the container and the Servlet API's request and response share: the exchange and what its head
 * says, the current {@link Dispatch}, and what is created at first use: attributes, body, cookies, form, session and login.
 * Confined to the exchange's owner.
 */
public final class RequestFacts {

    private final HttpExchange exchange;
    private final Settings connector;
    /** The paths with which the request arrived, in the application that it is mapped to. */
    private final DispatchView first;

    private Dispatch dispatch;
    private DispatchView containerView;
    private boolean asyncSupported = true;
    private @Nullable RequestAttributes attributes;
    private @Nullable ServletRequestBody body;
    private @Nullable ClientValues client;
    private volatile boolean ended;

    RequestFacts(HttpExchange exchange, DispatchView first) {
        this.exchange = exchange;
        this.connector = first.app().connectorSettings(exchange);
        this.first = first;
        this.dispatch = Dispatch.to(first);
        this.containerView = first;
    }

    public HttpExchange exchange() {
        return exchange;
    }

    /** The settings of the connector that received it. */
    public Settings connector() {
        return connector;
    }

    /** The application that the request was mapped to. */
    public AppView home() {
        return first.app();
    }

    // What the head says.

    /** Not a field, as the head may be replaced: by a saved request, or for an error or login page. */
    RequestHead head() {
        return exchange.request();
    }

    boolean isSecure() {
        return exchange.channel().info().isSecure() || head().scheme().equals("https");
    }

    RequestedHost authority() {
        return RequestedHost.of(head(), exchange.channel().info().local());
    }

    /** Scheme, host and path as the client sent them. */
    String originalUrl() {
        return url(head().path().raw());
    }

    String url(String path) {
        return authority().url(head().scheme(), path);
    }

    @Nullable
    String contentType() {
        return head().headers().get("Content-Type");
    }

    /** The length of the body in bytes; -1 if unknown. */
    long contentLength() {
        return head().contentLength() > 0 || head().headers().contains("Content-Length") ? head().contentLength() : -1;
    }

    // The dispatch.

    public Dispatch dispatch() {
        return dispatch;
    }

    /** Begins or ends a dispatch within another. */
    public void dispatch(Dispatch next) {
        dispatch = next;
    }

    /** Begins a dispatch by the container, to which earlier dispatches and their restrictions don't apply. */
    public void containerDispatch(Dispatch next) {
        dispatch = next;
        containerView = next.view();
        asyncSupported = true;
    }

    /** The paths of the container's latest dispatch, regardless of forwards and includes. */
    public DispatchView containerView() {
        return containerView;
    }

    /** The current servlet. */
    public ServletHolder servlet() {
        return dispatch.chain().servlet();
    }

    boolean isAsyncSupported() {
        return asyncSupported;
    }

    void withoutAsync() {
        asyncSupported = false;
    }

    Parameters parameters() {
        Parameters dispatched = dispatch.parameters();
        return dispatched != null ? dispatched : client().form().parameters();
    }

    /** Inserts a dispatcher's query before the existing parameters (Servlet 3.1, 9.1.1). */
    public void addQuery(String query) {
        dispatch = dispatch.with(parameters().precededBy(query, client().queryCharset()));
    }

    // What is created at first use.

    RequestAttributes attributes() {
        if (attributes == null) {
            attributes = new RequestAttributes(
                    exchange.channel().info(), exchange.attribute(PresetAttributes.KEY), RequestId.of(exchange));
        }
        return attributes;
    }

    /** The listeners to notify of changed attributes: none for a request that was kept beyond its end. */
    List<ServletRequestAttributeListener> attributeListeners() {
        return ended ? List.of() : dispatch.app().listeners().attributes();
    }

    /** Sets a container attribute, without notifying listeners; null removes it. */
    public void containerAttribute(String name, @Nullable Object value) {
        if (value != null || attributes != null) {
            attributes().setQuietly(name, value);
        }
    }

    /** The body as the application reads it. */
    ServletRequestBody body() {
        if (body == null) {
            body = new ServletRequestBody(exchange);
        }
        return body;
    }

    /** The encoding of the body and of parameters; null if neither the request nor the application sets it. */
    @Nullable
    String encoding() {
        return body().encoding(dispatch.app().servletContext());
    }

    private ClientValues client() {
        if (client == null) {
            client = new ClientValues();
        }
        return client;
    }

    RequestForm form() {
        return client().form();
    }

    Cookie[] cookies() {
        return client().cookies();
    }

    /** The session in the application that the request was mapped to. */
    RequestSession homeSession() {
        return client().session();
    }

    /** The session in the current application. */
    RequestSession session() {
        return client().session(dispatch.app());
    }

    /** The login of the request, whose facades these are. */
    RequestSecurity security(HttpServletRequest request, HttpServletResponse response) {
        return client().security(request, response);
    }

    /** Whether parameters are parsed from its body. */
    public boolean takesForm() {
        return connector.get(ServletOptions.PARSE_BODY_METHODS).contains(head().method());
    }

    /** Keeps the part of the body that was received before dispatch, until the response has ended. */
    public void hold(BodyPrefix received) {
        client().arrival = received;
    }

    /** Why the parameters or parts could not be read; null if they could, or were not requested. */
    public @Nullable FormException formRefusal() {
        return client == null ? null : client.form().refusal();
    }

    /**
     * The multipart-config of the servlet that the request was mapped to, as in Tomcat, else that of the current one; null if a
     * multipart body is not parsed.
     */
    public @Nullable MultipartModel multipart() {
        MultipartModel mapped = first.match().servlet().model().multipart;
        MultipartModel declared = mapped != null ? mapped : servlet().model().multipart;
        return declared == null && home().settings().get(ContextOptions.ALLOW_CASUAL_MULTIPART_PARSING)
                ? MultipartModel.undeclared(connector.get(ServletOptions.MAX_POST_SIZE))
                : declared;
    }

    // The end.

    boolean hasEnded() {
        return ended;
    }

    /** Ends the request, whose facades these are: no application code uses it any more. */
    void end(HttpServletRequest request, HttpServletResponse response) {
        try {
            LoggedValues.note(exchange, request);
            if (client != null || home().sessions().tracking().by(SessionTrackingMode.SSL)) {
                client().endSession(request, response);
            } else {
                home().sessions().accessInStore(exchange.request());
            }
        } finally {
            ended = true;
        }
    }

    /** Releases what the client sent; called when the response has ended. */
    public void close() {
        if (client != null) {
            client.close();
        }
    }

    /**
     * What a client sends beyond the head: cookies, form, session, login, each created on first use; most requests need none of
     * them. Also the request as its form and its session read it.
     */
    private final class ClientValues implements FormSource, SessionCarrier {

        private static final Cookie[] NO_COOKIES = {};

        private Cookie @Nullable [] cookies;
        private @Nullable RequestForm form;
        private @Nullable BodyPrefix arrival;
        private @Nullable RequestSession session;
        private Map<AppView, RequestSession> guests = Map.of();
        private @Nullable RequestSecurity security;

        RequestForm form() {
            if (form == null) {
                form = new RequestForm(this, ServletOptions.formLimits(connector));
            }
            return form;
        }

        RequestSession session() {
            if (session == null) {
                session = home().sessions().of(this);
                closeIfOver(session);
            }
            return session;
        }

        /** A request used after its end gets no session: nothing would end its access. */
        private void closeIfOver(RequestSession made) {
            if (ended) {
                made.close();
            }
        }

        /** The session in another application that the request was dispatched to, with the id of this one. */
        RequestSession session(AppView in) {
            if (in.equals(home())) {
                return session();
            }
            if (guests.isEmpty()) {
                guests = new HashMap<>();
            }
            return guests.computeIfAbsent(in, other -> {
                RequestSession made = other.sessions().of(this, session());
                closeIfOver(made);
                return made;
            });
        }

        RequestSecurity security(HttpServletRequest request, HttpServletResponse response) {
            if (security == null) {
                security = new RequestSecurity(
                        home().access(),
                        new SecuredRequest(request, response, exchange, home().contextPath(), connector, this::body),
                        session());
            }
            return security;
        }

        /**
         * Ends the request's access to its session. A request with a session id accesses that session even if the application does
         * not (Servlet 3.1, 7.6); without sessions this costs nothing.
         */
        void endSession(HttpServletRequest request, HttpServletResponse response) {
            if (home().sessions().isStored()
                    && session().isUnused()
                    && !home().sessions().tracking().by(SessionTrackingMode.SSL)) {
                session().close(); // so that the store records the access, and does not have to send the session
                home().sessions().accessInStore(exchange.request());
            }
            if (session != null || home().sessions().mayHaveAny() && mayBringAnId()) {
                try {
                    logUser(security(request, response).principal());
                } catch (FormException | UncheckedIOException e) {
                    // reported when the session's access is ended, below
                }
                try {
                    logSession();
                } catch (FormException | UncheckedIOException e) {
                    // as above
                }
                try {
                    endAll();
                } catch (FormException tooManyCookies) {
                    // then no cookie identifies a session
                }
            }
        }

        /** The sessions of other applications, and the own one, each even if others cannot be stored. */
        private void endAll() {
            SessionUnavailableException lost = null;
            for (RequestSession guest : guests.values()) {
                try {
                    guest.end();
                } catch (SessionUnavailableException e) {
                    lost = e;
                }
            }
            session().end();
            if (lost != null) {
                throw lost;
            }
        }

        /** The access log has the user even if the application never asked for it. */
        private void logUser(@Nullable Principal user) {
            if (user != null) {
                exchange.attributes().put(AccessLog.USER, user.getName());
            }
        }

        private void logSession() {
            HttpSession current = session().get(false);
            if (current != null) {
                exchange.attributes().put(AccessLog.SESSION, current.getId());
            }
        }

        /** A cheap test that excludes most requests without a session. */
        private boolean mayBringAnId() {
            return head().headers().get("Cookie") != null
                    || pathParameters() != null
                    || home().sessions().tracking().by(SessionTrackingMode.SSL);
        }

        /** Releases the form and the body. */
        void close() {
            if (form != null) {
                form.close();
            }
            if (arrival != null) {
                arrival.close();
            }
        }

        @Override
        public Cookie[] cookies() {
            if (cookies == null) {
                cookies = NO_COOKIES; // too many cookies are reported once
                cookies = CookieReader.read(head().headers(), connector.get(ServletOptions.MAX_COOKIE_COUNT));
            }
            return cookies;
        }

        @Override
        public @Nullable String pathParameters() {
            return head().path().parameters();
        }

        @Override
        public boolean isSecure() {
            return RequestFacts.this.isSecure();
        }

        @Override
        public @Nullable String tlsSessionId() {
            return attributes().get(RequestAttributes.TLS_SESSION_ID) instanceof String id ? id : null;
        }

        @Override
        public @Nullable String userAgent() {
            List<String> fields = head().headers().all("User-Agent");
            return fields.size() == 1 ? fields.get(0) : null;
        }

        @Override
        public String clientAddress() {
            return RequestedHost.host(exchange.channel().info().remote());
        }

        @Override
        public String requestUrl() {
            return originalUrl();
        }

        @Override
        public boolean isCommitted() {
            return exchange.output().isCommitted();
        }

        @Override
        public Headers responseHeaders() {
            return exchange.response().headers();
        }

        @Override
        public boolean takesForm() {
            return RequestFacts.this.takesForm();
        }

        @Override
        public @Nullable String query() {
            return head().query();
        }

        @Override
        public Charset queryCharset() {
            return connector.get(ServletOptions.USE_BODY_ENCODING_FOR_URI)
                    ? Objects.requireNonNullElse(bodyCharset(), StandardCharsets.ISO_8859_1)
                    : connector.get(ProtocolOptions.URI_ENCODING);
        }

        @Override
        public @Nullable String contentType() {
            return RequestFacts.this.contentType();
        }

        @Override
        public @Nullable Charset bodyCharset() {
            String name = encoding();
            try {
                return name == null ? null : Charset.forName(name);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }

        @Override
        public long contentLength() {
            return RequestFacts.this.contentLength();
        }

        @Override
        public @Nullable InputStream body() {
            return ended ? null : RequestFacts.this.body().forForm();
        }

        @Override
        public @Nullable MultipartModel multipart() {
            return RequestFacts.this.multipart();
        }

        @Override
        public Path temporaryDirectory() {
            return home().settings().deployment().temporaryDirectory();
        }
    }
}
