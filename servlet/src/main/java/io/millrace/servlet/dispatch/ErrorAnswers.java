package io.millrace.servlet.dispatch;

import io.millrace.exchange.ClientClosedException;
import io.millrace.exchange.FailureReference;
import io.millrace.handler.ErrorDocument;
import io.millrace.io.LogThrottle;
import io.millrace.io.ShortageLogging;
import io.millrace.protocol.ProtocolException;
import io.millrace.servlet.app.ErrorPageTable;
import io.millrace.servlet.files.StaticServlet;
import io.millrace.servlet.form.FormException;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.request.HttpServletResponseImpl;
import io.millrace.servlet.request.PendingError;
import io.millrace.servlet.session.SessionUnavailableException;
import java.io.IOException;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletException;
import javax.servlet.UnavailableException;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Sends error responses: the application's error page, else the server's, which shows only the status (Servlet 3.1, 10.9). Keeps
 * the status. Confined to the exchange's owner.
 */
final class ErrorAnswers {

    private static final LogThrottle<Refused> PACE = new LogThrottle<>(Refused.class);

    /** The attribute with the failure's reference in the log, for error pages of the application. */
    private static final String REFERENCE = "io.millrace.error.reference";

    /** Kinds of messages that are logged at most once a minute. */
    private enum Refused {
        MALFORMED,
        TOO_LARGE
    }

    private ErrorAnswers() {}

    /** Responds to an exception of the application. */
    static void thrown(HttpServletRequestImpl request, Throwable thrown) {
        if (ClientFault.of(thrown) == ClientFault.GONE) {
            request.exchange().abort(thrown);
            return;
        }
        int status = status(thrown);
        log(request, thrown, status);
        ErrorPageTable.Found page = request.app().errorPages().forException(thrown);
        if (thrown instanceof UnavailableException unavailable && !unavailable.isPermanent()) {
            request.response().retryAfter(unavailable.getUnavailableSeconds());
        }
        if (cause(thrown) instanceof SessionUnavailableException) {
            request.response().retryAfter(SessionUnavailableException.RETRY_AFTER_SECONDS);
        }
        answer(request, status, thrown.getMessage(), thrown, page);
    }

    /** Responds to sendError. */
    static void sent(HttpServletRequestImpl request, PendingError error) {
        answer(request, error.status(), error.message(), null, null);
    }

    /** Responds with a status. */
    static void status(HttpServletRequestImpl request, int status) {
        answer(request, status, null, null, null);
    }

    /**
     * Replaces a response whose session could not be stored, so that no client is told of changes that are lost; one that has begun
     * ends with an error.
     */
    static void notStored(HttpServletRequestImpl request, SessionUnavailableException failure) {
        int status = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
        log(request, failure, status);
        if (request.exchange().output().isCommitted()) {
            request.exchange().abort(failure);
            return;
        }
        request.response().beginErrorPage(status);
        request.response().retryAfter(SessionUnavailableException.RETRY_AFTER_SECONDS);
        ownPage(request, status, null, failure); // the application's own may ask for the session again
    }

    /** Logs a failure to which no response is possible, unless the client caused it. */
    static void log(HttpServletRequestImpl request, Throwable failure) {
        if (ClientFault.of(failure) != null || sessionStore(failure) != null) {
            ServletLog.DISPATCH.debugf(failure, "a task's client is gone or was refused, or its session store failed");
            return;
        }
        ServletLog.DISPATCH.servletFailed(
                request.facts().servlet().getServletName(),
                request.app().displayPath(),
                FailureReference.give(request.exchange()),
                failure);
    }

    /** The client's fault, even if frameworks have wrapped it; otherwise what the application threw. */
    private static Throwable cause(Throwable thrown) {
        Throwable clients = ClientFault.cause(thrown);
        Throwable store = clients == null ? sessionStore(thrown) : null;
        return clients != null ? clients : store != null ? store : rootCause(thrown);
    }

    /** The failure of the session store that an application has wrapped; null if there is none. */
    private static @Nullable Throwable sessionStore(Throwable thrown) {
        Throwable at = thrown;
        for (int i = 0; i < ClientFault.MAX_CAUSES && at != null; i++) {
            if (at instanceof SessionUnavailableException) {
                return at;
            }
            at = at.getCause();
        }
        return null;
    }

    private static Throwable rootCause(Throwable thrown) {
        return thrown instanceof ServletException servlet && servlet.getRootCause() != null
                ? servlet.getRootCause()
                : thrown;
    }

    private static int status(Throwable thrown) {
        Throwable cause = cause(thrown);
        if (cause instanceof FormException form) {
            return form.status();
        }
        if (cause instanceof ProtocolException protocol) {
            return protocol.status();
        }
        if (cause instanceof SessionUnavailableException) {
            return HttpServletResponse.SC_SERVICE_UNAVAILABLE;
        }
        if (cause instanceof UnavailableException unavailable) {
            return unavailable.isPermanent()
                    ? HttpServletResponse.SC_NOT_FOUND
                    : HttpServletResponse.SC_SERVICE_UNAVAILABLE;
        }
        return ShortageLogging.isOutOfDescriptors(thrown)
                ? HttpServletResponse.SC_SERVICE_UNAVAILABLE
                : HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
    }

    private static void log(HttpServletRequestImpl request, Throwable thrown, int status) {
        String application = request.app().displayPath();
        String servlet = request.facts().servlet().getServletName();
        Throwable cause = cause(thrown);
        if (cause instanceof UnavailableException) {
            ServletLog.DISPATCH.servletUnavailable(servlet, application, String.valueOf(cause.getMessage()));
        } else if (cause instanceof FormException) {
            Refused kind = status == HttpServletResponse.SC_BAD_REQUEST ? Refused.MALFORMED : Refused.TOO_LARGE;
            if (PACE.isDue(kind)) {
                ServletLog.DISPATCH.limitPassed(application, status, String.valueOf(cause.getMessage()));
            }
        } else if (cause instanceof SessionUnavailableException) {
            ServletLog.DISPATCH.debugf(cause, "a request to %s did not get its session", application);
        } else if (cause instanceof ProtocolException) {
            ServletLog.DISPATCH.debugf("a request to %s was refused: %s", application, cause.getMessage());
        } else if (ShortageLogging.isDue(thrown)) {
            ServletLog.DISPATCH.servletFailed(servlet, application, FailureReference.give(request.exchange()), thrown);
        }
    }

    private static void answer(
            HttpServletRequestImpl request,
            int status,
            @Nullable String message,
            @Nullable Throwable thrown,
            ErrorPageTable.@Nullable Found pageForException) {
        HttpServletResponseImpl response = request.response();
        if (request.exchange().output().isCommitted()) {
            // the client must notice that the response is incomplete
            request.exchange()
                    .abort(thrown != null ? thrown : new IOException("status " + status + " was set too late"));
            return;
        }
        response.beginErrorPage(status);
        String page = pageForException != null
                ? pageForException.location()
                : request.app().errorPages().forStatus(status);
        Throwable shown =
                pageForException != null ? pageForException.exception() : thrown == null ? null : rootCause(thrown);
        PendingError own = new PendingError(status, message);
        PendingError left = page == null ? own : show(request, page, own, shown);
        if (left != null) {
            ownPage(request, left.status(), thrown == null ? forClient(request, left.message()) : null, thrown);
        }
    }

    /** Without the messages of the default servlet and of Jasper, which only name what the client asked for. */
    private static @Nullable String forClient(HttpServletRequestImpl request, @Nullable String message) {
        String uri = request.view().requestUri();
        return uri.equals(message) || StaticServlet.missing(uri).equals(message) ? null : message;
    }

    /** Shows the application's page. Returns what is left to be shown by the server's page; null if nothing is. */
    private static @Nullable PendingError show(
            HttpServletRequestImpl request, String page, PendingError error, @Nullable Throwable thrown) {
        ServletDispatcher dispatcher = Dispatchers.find(request.app(), page);
        if (dispatcher == null) {
            return error;
        }
        request.facts().containerAttribute(RequestDispatcher.ERROR_STATUS_CODE, error.status());
        request.facts()
                .containerAttribute(RequestDispatcher.ERROR_MESSAGE, error.message() == null ? "" : error.message());
        request.facts()
                .containerAttribute(
                        RequestDispatcher.ERROR_REQUEST_URI, request.view().requestUri());
        request.facts()
                .containerAttribute(
                        RequestDispatcher.ERROR_SERVLET_NAME,
                        request.facts().servlet().getServletName());
        request.facts().containerAttribute(RequestDispatcher.ERROR_EXCEPTION, thrown);
        request.facts()
                .containerAttribute(RequestDispatcher.ERROR_EXCEPTION_TYPE, thrown == null ? null : thrown.getClass());
        request.facts().containerAttribute(REFERENCE, FailureReference.of(request.exchange()));
        try {
            dispatcher.error(request);
        } catch (Throwable failed) {
            if (ClientFault.of(failed) != ClientFault.GONE) {
                ServletLog.DISPATCH.errorPageFailed(page, request.app().displayPath(), failed);
            }
            return givenUp(request, error, failed);
        }
        PendingError sent = request.response().error(); // by the page: it has the last word, as in Tomcat
        if (sent == null) {
            return null;
        }
        return givenUp(request, sent.status() == error.status() ? error : sent, null);
    }

    /** Aborts a committed response; otherwise prepares it for the server's page, and returns what that is to show. */
    private static @Nullable PendingError givenUp(
            HttpServletRequestImpl request, PendingError error, @Nullable Throwable failed) {
        if (request.exchange().output().isCommitted()) {
            request.exchange().abort(failed != null ? failed : new IOException("the error page failed"));
            return null;
        }
        request.response().beginErrorPage(error.status());
        return error;
    }

    private static void ownPage(
            HttpServletRequestImpl request, int status, @Nullable String message, @Nullable Throwable thrown) {
        if (status < 400) {
            return; // sendError may be called with any status; only errors have pages
        }
        HttpServletResponseImpl response = request.response();
        ErrorDocument document = ErrorDocument.of(request.exchange(), status, message, thrown);
        document.describe(request.exchange().response().headers());
        response.setContentType(document.contentType());
        response.setContentLength(document.body().length);
        try {
            response.getOutputStream().write(document.body());
        } catch (IOException e) {
            response.abort(e);
        }
    }

    /**
     * Exceptions of the application that its client caused. They get a 4xx status, unless the connection is lost, and are not logged
     * as errors.
     */
    enum ClientFault {
        /** The connection was lost while the request was read or the response was sent. */
        GONE,
        /** The body is malformed, too large or too slow. */
        REFUSED,
        /** A form is malformed or exceeds the operator's limits. */
        FORM;

        /** How often frameworks may have wrapped an exception. */
        static final int MAX_CAUSES = 16;

        /** The client's fault; null for other exceptions. */
        static @Nullable ClientFault of(Throwable thrown) {
            Throwable cause = cause(thrown);
            if (cause instanceof FormException) {
                return FORM;
            }
            if (cause instanceof ProtocolException) {
                return REFUSED;
            }
            return cause == null ? null : GONE;
        }

        /** The cause that is the client's fault; null if there is none. */
        static @Nullable Throwable cause(Throwable thrown) {
            Throwable at = thrown;
            for (int i = 0; i < MAX_CAUSES && at != null; i++) {
                if (at instanceof FormException
                        || at instanceof ProtocolException
                        || at instanceof ClientClosedException) {
                    return at;
                }
                at = at.getCause();
            }
            return null;
        }
    }
}
