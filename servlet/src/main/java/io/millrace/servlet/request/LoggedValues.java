package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.handler.AccessNotes;
import io.millrace.handler.AccessNotes.Wanted;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** The values of a request that access logs require of its application. */
final class LoggedValues {

    private final HttpServletRequest request;

    private LoggedValues(HttpServletRequest request) {
        this.request = request;
    }

    /** Records them, if a log requires any. Called by the exchange's owner, before the request ends. */
    static void note(HttpExchange exchange, HttpServletRequest request) {
        AccessNotes notes = exchange.attribute(AccessNotes.KEY);
        if (notes != null) {
            notes.take(new LoggedValues(request)::value);
        }
    }

    private @Nullable Object value(Wanted wanted) {
        return switch (wanted.source()) {
            case REQUEST -> request.getAttribute(wanted.name());
            case SESSION -> {
                HttpSession session = request.getSession(false);
                yield session == null ? null : session.getAttribute(wanted.name());
            }
            case APPLICATION -> request.getServletContext().getAttribute(wanted.name());
            case PARAMETER -> request.getParameter(wanted.name());
            case PROPERTY -> property(wanted.name());
        };
    }

    private @Nullable Object property(String name) {
        return switch (name) {
            case "authType" -> request.getAuthType();
            case "characterEncoding" -> request.getCharacterEncoding();
            case "contentLength" -> request.getContentLengthLong();
            case "locale" -> request.getLocale();
            case "protocol" -> request.getProtocol();
            case "remoteUser" -> request.getRemoteUser();
            case "requestedSessionId" -> request.getRequestedSessionId();
            case "requestedSessionIdFromCookie" -> request.isRequestedSessionIdFromCookie();
            case "requestedSessionIdValid" -> request.isRequestedSessionIdValid();
            case "scheme" -> request.getScheme();
            case "secure" -> request.isSecure();
            default -> null;
        };
    }
}
