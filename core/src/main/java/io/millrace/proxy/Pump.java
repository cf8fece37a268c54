package io.millrace.proxy;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a loop that copies bytes, on whichever thread has an event for it, and never on two at once: after an event during a run, the
 * running thread runs it again. What the loop uses is thus confined to one thread at a time.
 */
final class Pump {

    private final Runnable loop;
    private final AtomicInteger events = new AtomicInteger();

    /** @param loop does what can be done now; if it throws, the next event runs it again */
    Pump(Runnable loop) {
        this.loop = loop;
    }

    /** Something may be possible now that was not before. */
    void run() {
        if (events.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        try {
            while (seen > 0) {
                int known = events.get();
                loop.run();
                seen = events.addAndGet(-known);
            }
        } finally {
            if (seen > 0) {
                events.set(0);
            }
        }
    }
}
