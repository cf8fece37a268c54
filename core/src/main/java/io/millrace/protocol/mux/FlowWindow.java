package io.millrace.protocol.mux;

/**
 * A flow-control window for output (RFC 9113, 5.2), in octets, and since when a sender is blocked by it. May be negative:
 * new settings can shrink it (6.9.2). Guarded by its owner's lock.
 */
final class FlowWindow {

    /** 2³¹−1. */
    static final int MAX = Integer.MAX_VALUE;

    private final boolean bounded;
    private int bytes;
    private boolean blocked;

    /** The {@link System#nanoTime} at which it was found closed; defined only while blocked. */
    private long blockedSince;

    /** A window of this many octets. */
    FlowWindow(int bytes) {
        this(bytes, true);
    }

    private FlowWindow(int bytes, boolean bounded) {
        this.bytes = bytes;
        this.bounded = bounded;
    }

    /** A window that is always open, for protocols without flow control. */
    static FlowWindow unbounded() {
        return new FlowWindow(MAX, false);
    }

    /** The number of octets that may be sent now; never negative. */
    int available() {
        return Math.max(0, bytes);
    }

    /** Records that octets are sent. False if they exceed the window, which is then negative. */
    boolean take(int count) {
        bytes -= bounded ? count : 0;
        return bytes >= 0;
    }

    /** Applies a window update. False, without a change, if the window would exceed {@link #MAX}. */
    boolean add(int count) {
        return shift(count);
    }

    /** Applies a change of the initial window, up or down. False, without a change, if the window would exceed its limits. */
    boolean shift(long difference) {
        long sum = bytes + difference;
        if (sum > MAX || sum < Integer.MIN_VALUE) {
            return false;
        }
        bytes = (int) sum;
        blocked &= bytes <= 0;
        return true;
    }

    /** Records that a sender is blocked by the closed window. False if one is blocked already. */
    boolean block() {
        boolean first = !blocked;
        if (first) {
            blocked = true;
            blockedSince = System.nanoTime();
        }
        return first;
    }

    /** Records that no sender is blocked. */
    void unblock() {
        blocked = false;
    }

    /** Whether a sender is blocked. */
    boolean isBlocked() {
        return blocked;
    }

    /** Whether a sender has been blocked since before this time. */
    boolean isOverdue(long since) {
        return blocked && blockedSince - since < 0;
    }

    @Override
    public String toString() {
        return Integer.toString(bytes);
    }
}
