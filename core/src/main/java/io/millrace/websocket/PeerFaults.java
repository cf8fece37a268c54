package io.millrace.websocket;

import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
import io.millrace.text.Printable;

/** Logs violations by peers: one line a minute for each kind, with control characters replaced. */
final class PeerFaults {

    private static final int MOST = 200;

    private enum Kind {
        ORIGIN,
        PROTOCOL,
        TEXT,
        POLICY,
        SIZE
    }

    private static final LogThrottle<Kind> THROTTLE = new LogThrottle<>(Kind.class);

    private PeerFaults() {}

    static void originRefused(String path, String origin) {
        if (THROTTLE.isDue(Kind.ORIGIN)) {
            CoreLog.WEBSOCKET.originRefused(printable(path), printable(origin));
        }
    }

    static void closed(Object peer, String path, WebSocketException fault) {
        if (THROTTLE.isDue(kind(fault.code()))) {
            CoreLog.WEBSOCKET.webSocketClosedForPeer(
                    peer, printable(path), fault.code(), String.valueOf(fault.getMessage()));
        }
    }

    private static Kind kind(int code) {
        return switch (code) {
            case CloseStatus.TOO_BIG -> Kind.SIZE;
            case CloseStatus.NOT_UTF_8 -> Kind.TEXT;
            case CloseStatus.POLICY -> Kind.POLICY;
            default -> Kind.PROTOCOL;
        };
    }

    static String printable(String text) {
        String shown = text.length() > MOST ? text.substring(0, MOST) + "…" : text;
        return Printable.of(shown);
    }
}
