package io.millrace.connector.ajp;

import io.millrace.io.LogThrottle;
import io.millrace.protocol.RequestFault;

/** Logs at most one message of each kind a minute, so that an attacker cannot fill the disk. Thread-safe. */
final class PacedLog {

    private final LogThrottle<Defect> defects = new LogThrottle<>(Defect.class);
    private final LogThrottle<RequestFault> refusals = new LogThrottle<>(RequestFault.class);
    private final LogThrottle<Other> others = new LogThrottle<>(Other.class);

    private enum Other {
        HEAD,
        UPGRADE
    }

    void malformed(Defect kind, Object peer) {
        if (defects.isDue(kind)) {
            AjpLog.LOG.malformed(peer, kind.found());
        }
    }

    void refused(RequestFault kind, Object peer) {
        if (refusals.isDue(kind)) {
            AjpLog.LOG.refused(peer, kind.status(), kind.advice());
        }
    }

    void headTooLarge(int size, int limit) {
        if (others.isDue(Other.HEAD)) {
            AjpLog.LOG.headTooLarge(size, limit);
        }
    }

    /** @param path a valid path, which has no control characters */
    void upgradeRefused(String path) {
        if (others.isDue(Other.UPGRADE)) {
            AjpLog.LOG.upgradeRefused(path);
        }
    }
}
