package io.millrace.servlet.context;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.http.RequestHead;
import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.request.HttpServletRequestImpl;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/** Where requests enter an application. May block: it runs on workers. */
final class ServletHandler implements HttpHandler {

    private final WebAppContext app;
    private final String contextPath;
    private final Routes routes;
    private final ClassLoader loader;

    ServletHandler(WebAppContext app) {
        this.app = app;
        this.contextPath = app.contextPath();
        this.routes = app.routes();
        this.loader = app.loader();
    }

    @Override
    public void handle(HttpExchange exchange) {
        RequestHead head = exchange.request();
        String path = head.path().decoded();
        if (path.length() == contextPath.length() && !contextPath.isEmpty()) {
            redirectIntoContext(exchange);
            return;
        }
        DispatchView view = view(head);
        if (view == null) {
            exchange.response().status(404).contentLength(0);
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
        String query = exchange.request().query();
        String location = exchange.request().path().raw() + "/";
        exchange.response()
                .status(302)
                .contentLength(0)
                .headers()
                .set("Location", query == null ? location : location + "?" + query);
    }
}
