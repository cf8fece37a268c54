package io.millrace.io;

import java.util.concurrent.atomic.AtomicInteger;

/** How many of the event loops among which connections are distributed wait for sockets. Thread-safe. */
public final class IdleLoops {

    private final AtomicInteger waiting = new AtomicInteger();

    /** None. */
    public IdleLoops() {}

    /** Called by a loop before it waits. */
    public void enter() {
        waiting.incrementAndGet();
    }

    /** Called by a loop after it has waited. */
    public void leave() {
        waiting.decrementAndGet();
    }

    /** Whether one waits, so that a processor is probably idle. */
    public boolean isAnyIdle() {
        return waiting.get() > 0;
    }
}
