package io.millrace.protocol.mux;

/**
 * How many octets of bodies may still be sent (RFC 9113, 5.2), and since when somebody waits for more. May be negative: settings can take
 * back what was granted (6.9.2). Guarded by its owner's lock.
 */
final class FlowWindow {

    /** 2³¹−1. */
    static final int MAX = Integer.MAX_VALUE;

    private final boolean bounded;
    private int octets;
    private boolean blocked;

    /** When it was found closed, by nanoTime; only while it blocks. */
    private long blockedSince;

    /** A window of so many octets. */
    FlowWindow(int octets) {
        this(octets, true);
    }

    private FlowWindow(int octets, boolean bounded) {
        this.octets = octets;
        this.bounded = bounded;
    }

    /** One that is always open, where a protocol has no window. */
    static FlowWindow unbounded() {
        return new FlowWindow(MAX, false);
    }

    /** How many octets may be sent now; never negative. */
    int available() {
        return Math.max(0, octets);
    }

    /** So many octets are sent. False if that is more than the window has; it is negative then. */
    boolean take(int count) {
        octets -= bounded ? count : 0;
        return octets >= 0;
    }

    /** The receiver takes so many octets more. False, and the window is as it was, if that were more than {@link #MAX}. */
    boolean add(int count) {
        return shift(count);
    }

    /** What streams begin with has changed by so much, up or down. False, and the window is as it was, beyond the limits. */
    boolean shift(long difference) {
        long sum = octets + difference;
        if (sum > MAX || sum < Integer.MIN_VALUE) {
            return false;
        }
        octets = (int) sum;
        blocked &= octets <= 0;
        return true;
    }

    /** It is closed, and somebody waits for it from now on. False if somebody does already. */
    boolean block() {
        boolean first = !blocked;
        if (first) {
            blocked = true;
            blockedSince = System.nanoTime();
        }
        return first;
    }

    /** Nobody waits for it. */
    void unblock() {
        blocked = false;
    }

    /** Does somebody wait for it? */
    boolean isBlocked() {
        return blocked;
    }

    /** The same, since before this time. */
    boolean isOverdue(long since) {
        return blocked && blockedSince - since < 0;
    }

    @Override
    public String toString() {
        return Integer.toString(octets);
    }
}
