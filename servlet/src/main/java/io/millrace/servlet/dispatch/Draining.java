package io.millrace.servlet.dispatch;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.PresetAttributes;
import io.millrace.http.LocalReference;
import io.millrace.http.RequestHead;
import io.millrace.io.FrontEnd;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.settings.DrainingRule;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Before an application: redirects clients without a session that are here only because of one that has ended. A request that
 * brings no id at all is served: it would come back as it is. Any thread; sessions are looked for on workers.
 */
public final class Draining implements NonBlockingHandler {

    private final AppView app;
    private final DrainingRule rule;
    private final ServletHandler entrance;
    private final HttpHandler next;

    /** Before an application that is complete. */
    public Draining(AppView app, DrainingRule rule, HttpHandler next) {
        this.app = app;
        this.rule = rule;
        this.entrance = new ServletHandler(app);
        this.next = next;
    }

    /** A session that a client still names, and how. */
    private record EndedSession(boolean cookie, boolean secure) {}

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        if (isDrained(exchange)) {
            HttpHandler onWorker = this::serveOrRedirect;
            exchange.dispatch(onWorker);
        } else if (next instanceof NonBlockingHandler) {
            next.handle(exchange);
        } else {
            exchange.dispatch(next);
        }
    }

    private static boolean isDrained(HttpExchange exchange) {
        PresetAttributes preset = exchange.attributes().get(PresetAttributes.KEY);
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
        exchange.response()
                .status(rule.redirectStatus())
                .contentLength(0)
                .headers()
                .set("Location", LocalReference.of(place, head.query()));
        if (ended.cookie) {
            exchange.response()
                    .headers()
                    .add("Set-Cookie", app.sessions().tracking().expiredCookie(ended.secure));
        }
    }

    /** Null if the client stays. */
    private @Nullable EndedSession ended(HttpServletRequest request) {
        boolean isCarried = request.isRequestedSessionIdFromCookie() || request.isRequestedSessionIdFromURL();
        if (!isCarried || request.isRequestedSessionIdValid()) {
            return null;
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
