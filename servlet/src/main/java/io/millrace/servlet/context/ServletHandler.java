package io.millrace.servlet.context;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.LocalReference;
import io.millrace.http.RequestHead;
import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.request.HttpServletRequestImpl;
import java.io.IOException;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/**
 * Where requests enter an application. Files that are known are answered at once, on the connection's thread; all else runs
 * on a worker.
 */
final class ServletHandler implements NonBlockingHandler {

    private final WebAppContext app;
    private final String contextPath;
    private final Routes routes;
    private final ClassLoader loader;
    private final DirectFiles files;
    private final HttpHandler servlets = this::serve;

    ServletHandler(WebAppContext app) {
        this.app = app;
        this.contextPath = app.contextPath();
        this.routes = app.routes();
        this.loader = app.loader();
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
            exchange.dispatch(servlets);
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        RequestHead head = exchange.request();
        String path = head.path().decoded();
        if (path.length() == contextPath.length() && !contextPath.isEmpty()) {
            redirectIntoContext(exchange);
            app.sessions().accessInStore(head);
            return;
        }
        DispatchView view = view(head);
        if (view == null) {
            exchange.response().status(404).contentLength(0);
            return;
        }
        if (files.answer(exchange, path.substring(contextPath.length()), view.match())) {
            app.sessions().accessInStore(head);
            return;
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            RequestRunner.begin(new HttpServletRequestImpl(app, exchange, view));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Null if its path leads nowhere. */
    private @Nullable DispatchView view(RequestHead head) {
        String path = head.path().decoded();
        int length = contextPath.length();
        ServletMatch match = path.startsWith("/", length) ? routes.match(path.substring(length)) : null;
        return match == null
                ? null
                : new DispatchView(DispatcherType.REQUEST, app, head.path().raw(), head.query(), match);
    }

    /** The request is only asked who sent it; it may be served elsewhere. */
    boolean knowsSessionOf(HttpExchange exchange) {
        DispatchView view = view(exchange.request());
        if (view == null) {
            return false;
        }
        HttpServletRequestImpl request = new HttpServletRequestImpl(app, exchange, view);
        try {
            return request.isRequestedSessionIdValid();
        } finally {
            request.end();
        }
    }

    /** {@code /shop} is not in the application, {@code /shop/} is: relative links would go astray. */
    private void redirectIntoContext(HttpExchange exchange) {
        RequestHead head = exchange.request();
        exchange.response()
                .status(302)
                .contentLength(0)
                .headers()
                .set("Location", LocalReference.ofDirectory(head.path().raw(), head.query()));
    }
}
