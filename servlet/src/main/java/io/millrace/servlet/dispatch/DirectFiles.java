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
 * The short way to files: past the servlets, where nobody could tell the difference. It is taken if the default servlet is
 * what a path leads to and neither filter, request listener nor constraint stands before it, nor sessions that are known by
 * the connection alone; for what is known then, on the connection's own thread. Any thread.
 */
final class DirectFiles {

    private final AppView app;
    /** May requests of this application pass its servlets by at all? */
    private final boolean possible;

    /** Null until a first file was served this way. */
    private volatile @Nullable StaticFiles files;

    /** For an application that has been started. */
    DirectFiles(AppView app) {
        this.app = app;
        possible = app.listeners().requests().isEmpty()
                && app.access().isIdle()
                && !app.sessions().tracking().by(SessionTrackingMode.SSL);
    }

    /**
     * Answers, without blocking, a request that was answered this way before; false, having done nothing, for others.
     *
     * @param path below the context path
     */
    boolean answerKnown(HttpExchange exchange, String path) {
        StaticFiles known = files;
        return known != null && isPlain(exchange) && known.answerKnown(exchange, path);
    }

    /** Answers if this way may be taken and there is such a file; false, having sent nothing, if a servlet must. */
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
        // two default servlets of one application, with other parameters, would mix what they know
        return found.files().equals(files) && found.files().answer(exchange, path, match.path()) < 400;
    }

    private static boolean isReading(HttpExchange exchange) {
        String method = exchange.request().method();
        return method.equals(Method.GET) || method.equals(Method.HEAD);
    }

    /** An endpoint of another protocol may be where a file is. */
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
