package io.millrace.websocket.jsr.server;

import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.servlet.Upgrades;
import io.millrace.servlet.upgrade.UpgradeResponder;
import io.millrace.websocket.WebSocketHandshake;
import java.io.IOException;
import javax.servlet.DispatcherType;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Handles WebSocket handshakes for paths of endpoints; servlets handle all other requests. Thread-safe. */
final class HandshakeResponder implements UpgradeResponder {

    /** How long a stopping application waits until all sessions are closed and their onClose methods have returned. */
    private static final long STOP_MILLIS = 5_000;

    /** How long it waits after it has aborted the connections of the remaining sessions. */
    private static final long ABORT_MILLIS = 2_000;

    private final Container container;
    private final int contextLength;
    private final String application;

    /** @param contextPath escaped; empty for the root */
    HandshakeResponder(Container container, String contextPath) {
        this.container = container;
        RequestPath decoded = RequestPath.parse(contextPath, EncodedSlash.DECODE);
        this.contextLength =
                decoded == null ? contextPath.length() : decoded.decoded().length();
        this.application = contextPath.isEmpty() ? "/" : contextPath;
    }

    @Override
    public boolean isIdle() {
        return container.isIdle();
    }

    @Override
    public boolean answer(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        RequestHead head = Upgrades.exchange(request).request();
        if (!WebSocketHandshake.isRequested(head)) {
            return false;
        }
        var match = container.find(path(request, head));
        if (match == null) {
            return false;
        }
        new Handshake(container, match.endpoint(), match.parameters(), request, response).answer();
        return true;
    }

    /** The requested path, because the servlet path may be that of a welcome file; after a forward, the path of the target. */
    private String path(HttpServletRequest request, RequestHead head) {
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            return head.path().decoded().substring(contextLength);
        }
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    @Override
    public void stop() {
        container.closeClients();
        if (container.sessions().stop(STOP_MILLIS) > 0) {
            container.sessions().abortAll();
            int left = container.sessions().stop(ABORT_MILLIS);
            if (left > 0) {
                ServerLog.LOG.sessionsLeft(left, application, STOP_MILLIS + ABORT_MILLIS);
            }
        }
    }
}
