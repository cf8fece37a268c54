package io.millrace.protocol;

import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Turns;
import java.util.List;

/**
 * Switches a connection to another of the port's protocols if an HTTP/1.1 request asks for it, and passes all other
 * requests on. A client cannot insist on an upgrade (RFC 9110, 7.8): a request that does not meet all conditions,
 * because it has a body for example, is handled in HTTP/1.1.
 */
final class UpgradeDispatcher implements Dispatcher {

    private final List<Protocol> protocols;
    private final Dispatcher dispatcher;

    /**
     * A dispatcher for one port.
     *
     * @param protocols the protocols that support upgrades
     */
    UpgradeDispatcher(List<Protocol> protocols, Dispatcher dispatcher) {
        this.protocols = protocols;
        this.dispatcher = dispatcher;
    }

    /** Whether it passes requests on to this dispatcher. */
    boolean isBefore(Dispatcher other) {
        return dispatcher.equals(other);
    }

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        boolean asks = request.version() == HttpVersion.HTTP_1_1
                && request.contentLength() == 0
                && request.headers().contains("Upgrade")
                && stream.channel().info().tlsSession() == null;
        if (!asks || !(stream instanceof SwitchingStream switching) || !upgrade(request, switching)) {
            dispatcher.dispatch(request, stream);
        }
    }

    private boolean upgrade(RequestHead request, SwitchingStream stream) {
        for (Protocol each : protocols) {
            Successor next = each.upgrade(request, dispatcher);
            String name = each.upgradeName();
            if (next != null && name != null) {
                ResponseHead head = new ResponseHead().status(Status.SWITCHING_PROTOCOLS);
                head.headers().add("Upgrade", name);
                return stream.switchTo(head, next);
            }
        }
        return false;
    }

    @Override
    public void refused(RefusedRequest request) {
        dispatcher.refused(request);
    }

    @Override
    public Dispatcher ofConnection(int most, Runnable reached) {
        return new UpgradeDispatcher(protocols, dispatcher.ofConnection(most, reached));
    }

    @Override
    public Turns turns() {
        return dispatcher.turns();
    }
}
