package io.millrace.servlet.dispatch;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.PresetAttributes;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import io.millrace.http.LocalReference;
import io.millrace.http.RequestHead;
import io.millrace.io.FrontEnd;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.session.SessionUnavailableException;
import io.millrace.servlet.settings.DrainingRule;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Wraps an application that a load balancer drains: redirects clients whose session has ended, so that they get another server. A
 * request without session id is served, as it would return unchanged. Thread-safe; sessions are looked up on workers.
 */
public final class Draining implements NonBlockingHandler {

    private final AppView app;
    private final DrainingRule rule;
    private final ServletHandler entrance;
    private final HttpHandler next;

    /** Wraps an application that has started. */
    public Draining(AppView app, DrainingRule rule, HttpHandler next) {
        this.app = app;
        this.rule = rule;
        this.entrance = new ServletHandler(app);
        this.next = next;
    }

    /** A session that has ended, and how the client sent its id. */
    private record EndedSession(boolean cookie, boolean secure) {}

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        if (isDrained(exchange)) {
            HttpHandler onWorker = this::serveOrRedirect;
            exchange.dispatch(onWorker);
        } else {
            Route.follow(exchange, next);
        }
    }

    private static boolean isDrained(HttpExchange exchange) {
        PresetAttributes preset = exchange.attribute(PresetAttributes.KEY);
        String said = preset == null ? null : preset.values().get(DrainingRule.ATTRIBUTE);
        FrontEnd frontEnd = exchange.channel().info().frontEnd();
        if (said == null && frontEnd != null) {
            said = frontEnd.notes().attributes().get(DrainingRule.ATTRIBUTE);
        }
        return DrainingRule.DRAINED.equals(said);
    }

    private void serveOrRedirect(HttpExchange exchange) throws Exception {
        EndedSession ended = entrance.ask(exchange, this::ended);
        if (ended == null) {
            exchange.dispatch(next);
            return;
        }
        RequestHead head = exchange.request();
        String place = app.sessions().tracking().withoutId(head.path().raw());
        if (ended.cookie) {
            exchange.response()
                    .headers()
                    .add("Set-Cookie", app.sessions().tracking().expiredCookie(ended.secure));
        }
        Responses.redirect(exchange, rule.redirectStatus(), LocalReference.of(place, head.query()));
    }

    /** Null if the client is not redirected. */
    private @Nullable EndedSession ended(HttpServletRequest request) {
        boolean isCarried = request.isRequestedSessionIdFromCookie() || request.isRequestedSessionIdFromURL();
        try {
            if (!isCarried || request.isRequestedSessionIdValid()) {
                return null;
            }
        } catch (SessionUnavailableException e) {
            return null; // the application's response is 503, if it needs the session
        }
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (rule.ignores(cookie)) {
                    return null;
                }
            }
        }
        return new EndedSession(request.isRequestedSessionIdFromCookie(), request.isSecure());
    }
}
