package io.millrace.proxyprotocol;

import io.millrace.io.LogThrottle;
import java.net.SocketAddress;

/**
 * Logs the first refusal of each kind and then one a minute: a client of the port must not be able to fill the disk. Any thread.
 */
final class ProxyHeaderLog {

    private final LogThrottle<ProxyHeaderRefusal> pace = new LogThrottle<>(ProxyHeaderRefusal.class);

    /** Writes a line if one of its kind is due. */
    void refused(ProxyHeaderRefusal kind, SocketAddress peer, String what) {
        if (!pace.isDue(kind)) {
            return;
        }
        switch (kind) {
            case UNTRUSTED -> ProxyProtocolLog.LOG.untrusted(peer, what);
            case MISSING -> ProxyProtocolLog.LOG.missing(peer);
            case BAD -> ProxyProtocolLog.LOG.bad(peer, what);
            case LATE -> ProxyProtocolLog.LOG.late(peer, what);
        }
    }
}
