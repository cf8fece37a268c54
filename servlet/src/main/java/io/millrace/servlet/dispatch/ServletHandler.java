package io.millrace.servlet.dispatch;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.PredictedHandler;
import io.millrace.exchange.RoutePrediction;
import io.millrace.files.StaticFiles;
import io.millrace.handler.Responses;
import io.millrace.http.LocalReference;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.Routes;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.app.ServletMatch;
import io.millrace.servlet.files.StaticServlet;
import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.session.SessionUnavailableException;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.servlet.uri.ContextPath;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.servlet.DispatcherType;
import javax.servlet.Servlet;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The handler of an application's requests. Cached files are served on the I/O thread, all others on a worker. */
public final class ServletHandler implements NonBlockingHandler {

    private final AppView app;
    private final String contextPath;
    private final Routes routes;
    private final ClassLoader loader;
    private final DirectFiles files;

    /** Of paths that no servlet is mapped to. */
    private final RoutePrediction unmapped = new RoutePrediction();

    /** Of paths that may have a welcome file, which has to be looked for. */
    private final RoutePrediction.ByMethod directories = new RoutePrediction.ByMethod();

    /** For an application that has started. */
    public ServletHandler(AppView app) {
        this.app = app;
        this.contextPath = app.contextPath();
        this.routes = app.routes();
        this.loader = app.settings().loader();
        this.files = new DirectFiles(app);
    }

    @Override
    public void handle(HttpExchange exchange) {
        RequestHead head = exchange.request();
        app.sessions().access(head);
        String path = head.path().decoded();
        int length = contextPath.length();
        if (path.startsWith("/", length) && files.answerKnown(exchange, path.substring(length))) {
            app.sessions().accessInStore(head);
        } else {
            exchange.dispatch(new Servlets());
        }
    }

    /** The part of one request that may block. A route is a servlet and a method. */
    private final class Servlets implements PredictedHandler {

        /** Null if there is none, or the path has not been matched. */
        private @Nullable ServletMatch match;

        private boolean isMatched;

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            serve(exchange, isMatched ? match : ServletHandler.this.match(exchange.request()));
        }

        @Override
        public RoutePrediction prediction(HttpExchange exchange) {
            RequestHead head = exchange.request();
            if (head.path().decoded().endsWith("/")) {
                return directories.of(head.method()); // to match it may need the file system
            }
            ServletMatch found = ServletHandler.this.match(head);
            match = found;
            isMatched = true;
            return found == null ? unmapped : found.servlet().predictions().of(head.method());
        }
    }

    private void serve(HttpExchange exchange, @Nullable ServletMatch match) throws IOException {
        RequestHead head = exchange.request();
        String path = head.path().decoded();
        if (path.length() == contextPath.length() && !contextPath.isEmpty() && !routes.takesContextPath()) {
            app.sessions().accessInStore(head);
            redirectIntoContext(exchange);
            return;
        }
        if (match == null) {
            Responses.error(exchange, 404);
            return;
        }
        exchange.onEnd(match.servlet().figures());
        if (files.answer(exchange, path.substring(contextPath.length()), match)) {
            app.sessions().accessInStore(head);
            return;
        }
        run(new RequestRunner(exchange, view(exchange, match)), RequestRunner::begin);
    }

    private void run(RequestRunner runner, Consumer<RequestRunner> action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            action.accept(runner);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /**
     * Answers a request that a handler before the application has refused with the application's error page, on a worker. False if it
     * has no page for the status.
     */
    public boolean refuse(HttpExchange exchange, int status) {
        DispatchView view = app.errorPages().forStatus(status) == null ? null : view(exchange);
        if (view == null) {
            return false;
        }
        HttpHandler page = refused -> run(new RequestRunner(refused, view), runner -> runner.refuse(status));
        exchange.dispatch(page);
        return true;
    }

    /** What the path maps to; null if that is nothing. May read directories if it ends with a slash. */
    private @Nullable ServletMatch match(RequestHead head) {
        String path = head.path().decoded();
        int length = contextPath.length();
        boolean within = path.startsWith("/", length) || path.length() == length;
        return within ? routes.match(path.substring(length)) : null;
    }

    /** The first dispatch; null if the path maps to nothing. */
    private @Nullable DispatchView view(HttpExchange exchange) {
        ServletMatch match = match(exchange.request());
        return match == null ? null : view(exchange, match);
    }

    private DispatchView view(HttpExchange exchange, ServletMatch match) {
        RequestHead head = exchange.request();
        String uri = ContextPath.withOneSlash(head.path().raw());
        return new DispatchView(DispatcherType.REQUEST, app, contextPathOf(uri, exchange), uri, head.query(), match);
    }

    /** The context path as the client sent it, so that the request URI begins with it, however it is written. */
    private String contextPathOf(String uri, HttpExchange exchange) {
        Settings connector = app.connectorSettings(exchange);
        String sent = ContextPath.sent(
                uri,
                contextPath,
                connector.get(ProtocolOptions.ENCODED_SOLIDUS_HANDLING),
                connector.get(ProtocolOptions.URI_ENCODING));
        if (sent == null) {
            throw new IllegalStateException("the request for \"" + uri + "\" was mapped to the application at \""
                    + contextPath + "\", which is not a prefix of its path");
        }
        return sent;
    }

    /** Whether the request has the id of a valid session, or it is not known whether it is valid. Does not serve the request. */
    public boolean knowsSessionOf(HttpExchange exchange) {
        try {
            return Boolean.TRUE.equals(ask(exchange, HttpServletRequest::isRequestedSessionIdValid));
        } catch (SessionUnavailableException e) {
            return true; // not to be served by another version, which would take its user for a new one
        }
    }

    /** Evaluates a function of the request, on a worker; null if the path maps to no servlet. */
    <T> @Nullable T ask(HttpExchange exchange, Function<HttpServletRequest, @Nullable T> question) {
        DispatchView view = view(exchange);
        return view == null ? null : new RequestRunner(exchange, view).ask(question);
    }

    /**
     * Redirects from {@code /shop} to {@code /shop/}, without which relative links would leave the application, unless a servlet is mapped to
     * {@code /*}: that serves the context path too, and may be an endpoint to which clients send bodies.
     */
    private void redirectIntoContext(HttpExchange exchange) {
        RequestHead head = exchange.request();
        Responses.redirect(exchange, 302, LocalReference.ofDirectory(head.path().raw(), head.query()));
    }

    /**
     * Serves files without running servlets, where that makes no difference: the path maps to the default servlet, without filters,
     * request listeners and security constraints, and sessions are not tracked by TLS. Files that were served this way before are
     * served on the I/O thread. Thread-safe.
     */
    private static final class DirectFiles {

        private final AppView app;
        /** False if no request of this application may bypass its servlets. */
        private final boolean possible;

        private record Served(StaticFiles files, ServletHolder by) {}

        /** Null until the first file is served this way. */
        private volatile @Nullable Served served;

        /** For an application that has started. */
        DirectFiles(AppView app) {
            this.app = app;
            possible = app.listeners().requests().isEmpty()
                    && app.access().isIdle()
                    && !app.sessions().tracking().by(SessionTrackingMode.SSL);
        }

        /**
         * Serves a file that was served this way before, without blocking; false, with no effect, for other requests.
         *
         * @param path below the context path
         */
        boolean answerKnown(HttpExchange exchange, String path) {
            Served known = served;
            if (known == null || !isPlain(exchange) || !known.files.answerKnown(exchange, path)) {
                return false;
            }
            known.by.figures().addFile();
            return true;
        }

        /** Serves a file if possible; false, with no effect, if the request must run through servlets. */
        boolean answer(HttpExchange exchange, String path, ServletMatch match) throws IOException {
            if (!possible || !isReading(exchange) || !isPlain(exchange)) {
                return false;
            }
            ServletHolder holder = match.servlet();
            Servlet servlet = holder.inService();
            if (!(servlet instanceof StaticServlet found)
                    || !found.isPlain()
                    || holder.model().runAs != null
                    || !app.routes().chain(match, DispatcherType.REQUEST).isBare()
                    || ResourceTree.isProtected(match.path())) {
                return false;
            }
            Served known = served;
            if (known == null) {
                known = new Served(found.files(), holder);
                served = known;
            }
            // two default servlets with different parameters must not share cached files
            return found.files().equals(known.files) && found.files().answer(exchange, path, match.path()) < 400;
        }

        private static boolean isReading(HttpExchange exchange) {
            String method = exchange.request().method();
            return method.equals(Method.GET) || method.equals(Method.HEAD);
        }

        /** True for an upgrade, as an endpoint may have the path of a file. */
        private boolean isUpgrade(HttpExchange exchange) {
            return !app.upgrades().isIdle() && exchange.request().headers().contains("Upgrade");
        }

        private boolean isPlain(HttpExchange exchange) {
            Settings connector = app.connectorSettings(exchange);
            return connector.get(ServletOptions.USE_SENDFILE)
                    && !connector.get(ServletOptions.X_POWERED_BY)
                    && !isUpgrade(exchange);
        }
    }
}
