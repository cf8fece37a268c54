package io.millrace;

import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import org.jspecify.annotations.Nullable;

/** Makes requests look as they did in front of a proxy that is known beforehand: its name and port, and protected. */
final class ForwardedDispatcher implements Dispatcher {

    private final Dispatcher next;
    private final boolean secure;
    private final @Nullable String name;
    private final int port;

    private ForwardedDispatcher(Dispatcher next, Connector connector) {
        this.next = next;
        secure = connector.secure();
        name = connector.proxyName();
        port = connector.proxyPort();
    }

    static Dispatcher wrap(Dispatcher next, Connector connector) {
        boolean plain = !connector.secure() && connector.proxyName() == null && connector.proxyPort() == 0;
        return plain ? next : new ForwardedDispatcher(next, connector);
    }

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        next.dispatch(
                name == null && port == 0 ? request : sentToProxy(request), secure ? new SecureStream(stream) : stream);
    }

    @Override
    public void refused(int status, String reason, ConnectionInfo info) {
        next.refused(status, reason, info);
    }

    private RequestHead sentToProxy(RequestHead request) {
        return new RequestHead(
                request.method(),
                request.target(),
                request.path(),
                request.query(),
                request.version(),
                request.scheme(),
                authority(request.authority(), name, port),
                request.headers(),
                request.contentLength());
    }

    /** What a request was sent to in front of the proxy; null name or zero port: as it says itself. */
    static @Nullable String authority(@Nullable String sent, @Nullable String name, int port) {
        String host = name == null ? hostOf(sent) : name;
        return port == 0 || host == null ? host : host + ":" + port;
    }

    private static @Nullable String hostOf(@Nullable String authority) {
        if (authority == null) {
            return null;
        }
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }
}
