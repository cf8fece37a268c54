package io.millrace.natives;

import java.util.concurrent.atomic.AtomicInteger;

/** The number of native objects that live until they are destroyed by a call: tests find leaks by it. Thread-safe. */
public final class NativeObjects {

    private static final AtomicInteger LIVE = new AtomicInteger();

    private NativeObjects() {}

    /** Counts an object that a library has created. */
    public static void created() {
        LIVE.incrementAndGet();
    }

    /** Counts an object that is destroyed. */
    public static void destroyed() {
        LIVE.decrementAndGet();
    }

    /** Objects that exist now, of all libraries that count theirs here. */
    public static int live() {
        return LIVE.get();
    }
}
