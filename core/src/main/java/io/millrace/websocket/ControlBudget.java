package io.millrace.websocket;

import java.util.concurrent.TimeUnit;

/** Limits the rate of a peer's control frames, each of which costs us more than the peer. Confined to the reader. */
final class ControlBudget {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long since = System.nanoTime();
    private int count;

    void count(int most) throws WebSocketException {
        long now = System.nanoTime();
        if (now - since > SECOND) {
            since = now;
            count = 0;
        }
        count++;
        if (count > most) {
            throw new WebSocketException(
                    CloseStatus.POLICY,
                    "more than " + most + " pings and pongs arrived within a second; the option is "
                            + WebSocketOptions.MAX_CONTROL_FRAMES.name());
        }
    }
}
