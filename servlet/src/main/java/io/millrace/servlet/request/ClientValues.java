package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.handler.AccessLog;
import io.millrace.http.Headers;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.cookie.CookieReader;
import io.millrace.servlet.form.BodyPrefix;
import io.millrace.servlet.form.FormException;
import io.millrace.servlet.form.FormSource;
import io.millrace.servlet.form.RequestForm;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.security.RequestSecurity;
import io.millrace.servlet.security.SecuredRequest;
import io.millrace.servlet.session.RequestSession;
import io.millrace.servlet.session.SessionCarrier;
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
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends beyond the head: cookies, form, session, login, each created on first use; most requests need none of them.
 * Also the request as the form and the session read it. Not thread-safe.
 */
final class ClientValues implements FormSource, SessionCarrier {

    private static final Cookie[] NO_COOKIES = {};

    private final HttpServletRequestImpl request;
    private final AppView app;
    private final HttpExchange exchange;
    private Cookie @Nullable [] cookies;
    private @Nullable RequestForm form;
    private @Nullable BodyPrefix arrival;
    private @Nullable RequestSession session;
    private Map<AppView, RequestSession> guests = Map.of();
    private @Nullable RequestSecurity security;

    ClientValues(HttpServletRequestImpl request, AppView app, HttpExchange exchange) {
        this.request = request;
        this.app = app;
        this.exchange = exchange;
    }

    RequestForm form() {
        if (form == null) {
            form = new RequestForm(this, ServletOptions.formLimits(request.connector()));
        }
        return form;
    }

    RequestSession session() {
        if (session == null) {
            session = app.sessions().of(this);
            closeIfOver(session);
        }
        return session;
    }

    /** A request used after its end gets no session: nothing would end its access. */
    private void closeIfOver(RequestSession made) {
        if (request.hasEnded()) {
            made.close();
        }
    }

    /** The session in another application that the request was dispatched to, with the id of this one. */
    RequestSession session(AppView in) {
        if (in.equals(app)) {
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

    RequestSecurity security() {
        if (security == null) {
            security = new RequestSecurity(
                    app.access(),
                    new SecuredRequest(
                            request, request.response(), exchange, app.contextPath(), request.connector(), this::body),
                    session());
        }
        return security;
    }

    /**
     * Ends the request's access to its session. A request with a session id accesses that session even if the application does
     * not (Servlet 3.1, 7.6); without sessions this costs nothing.
     */
    void endSession() {
        if (app.sessions().isStored()
                && session().isUnused()
                && !app.sessions().tracking().by(SessionTrackingMode.SSL)) {
            session().close(); // so that the store records the access, and does not have to send the session
            app.sessions().accessInStore(exchange.request());
        }
        if (session != null || app.sessions().mayHaveAny() && mayBringAnId()) {
            try {
                logUser();
            } catch (FormException | UncheckedIOException e) {
                // reported when the session's access is ended, below
            }
            try {
                logSession();
                guests.values().forEach(RequestSession::end);
                session().end();
            } catch (FormException tooManyCookies) {
                // then no cookie identifies a session
            }
        }
    }

    /** The access log has the user even if the application never asked for it. */
    private void logUser() {
        Principal user = security().principal();
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
        return exchange.request().headers().get("Cookie") != null
                || pathParameters() != null
                || app.sessions().tracking().by(SessionTrackingMode.SSL);
    }

    /** Keeps a body that was received before the request was dispatched. */
    void hold(BodyPrefix body) {
        arrival = body;
    }

    /** Releases the form and the body; called when the response has ended. */
    void closeForm() {
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
            cookies = CookieReader.read(
                    exchange.request().headers(), request.connector().get(ServletOptions.MAX_COOKIE_COUNT));
        }
        return cookies;
    }

    @Override
    public @Nullable String pathParameters() {
        return exchange.request().path().parameters();
    }

    @Override
    public boolean isSecure() {
        return request.isSecure();
    }

    @Override
    public @Nullable String tlsSessionId() {
        return request.getAttribute("javax.servlet.request.ssl_session_id") instanceof String id ? id : null;
    }

    @Override
    public @Nullable String userAgent() {
        List<String> fields = request.exchange().request().headers().all("User-Agent");
        return fields.size() == 1 ? fields.get(0) : null;
    }

    @Override
    public String clientAddress() {
        return request.getRemoteAddr();
    }

    @Override
    public String requestUrl() {
        return request.originalUrl();
    }

    @Override
    public boolean isCommitted() {
        return exchange.output().isCommitted();
    }

    @Override
    public Headers responseHeaders() {
        return exchange.response().headers();
    }

    private String method() {
        return exchange.request().method();
    }

    @Override
    public boolean takesForm() {
        return request.connector().get(ServletOptions.PARSE_BODY_METHODS).contains(method());
    }

    @Override
    public @Nullable String query() {
        return exchange.request().query();
    }

    @Override
    public Charset queryCharset() {
        Settings connector = request.connector();
        return connector.get(ServletOptions.USE_BODY_ENCODING_FOR_URI)
                ? Objects.requireNonNullElse(bodyCharset(), StandardCharsets.ISO_8859_1)
                : connector.get(ProtocolOptions.URI_ENCODING);
    }

    @Override
    public @Nullable String contentType() {
        return request.getContentType();
    }

    @Override
    public @Nullable Charset bodyCharset() {
        String name = request.getCharacterEncoding();
        try {
            return name == null ? null : Charset.forName(name);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public long contentLength() {
        return request.getContentLengthLong();
    }

    @Override
    public @Nullable InputStream body() {
        return request.hasEnded() ? null : request.body().forForm();
    }

    @Override
    public @Nullable MultipartModel multipart() {
        return request.multipart();
    }

    @Override
    public Path temporaryDirectory() {
        return app.settings().temporaryDirectory();
    }
}
