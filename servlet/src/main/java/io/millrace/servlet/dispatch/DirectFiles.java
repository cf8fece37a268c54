package io.millrace.servlet.dispatch;

import io.millrace.exchange.HttpExchange;
import io.millrace.files.StaticFiles;
import io.millrace.http.Method;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.app.ServletMatch;
import io.millrace.servlet.files.StaticServlet;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Settings;
import java.io.IOException;
import javax.servlet.DispatcherType;
import javax.servlet.Servlet;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/**
 * Serves files without running servlets, where that makes no difference: the path maps to the default servlet, without filters,
 * request listeners and security constraints, and sessions are not tracked by TLS. Files that were served this way before are
 * served on the I/O thread. Thread-safe.
 */
final class DirectFiles {

    private final AppView app;
    /** False if no request of this application may bypass its servlets. */
    private final boolean possible;

    /** Null until the first file is served this way. */
    private volatile @Nullable StaticFiles files;

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
        StaticFiles known = files;
        return known != null && isPlain(exchange) && known.answerKnown(exchange, path);
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
        StaticFiles known = files;
        if (known == null) {
            files = found.files();
        }
        // two default servlets with different parameters must not share cached files
        return found.files().equals(files) && found.files().answer(exchange, path, match.path()) < 400;
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
