package io.millrace.protocol;

/**
 * Limits the rate of interim responses (1xx) to one request, not their number: a long job may report its progress for hours (102; RFC
 * 2518, 10.1). Confined to the reader of the response.
 */
public final class InterimRate {

    /** So many may come at once. */
    public static final int MAX_BURST = 100;

    /** Further ones may come at this interval: ten a second. */
    private static final long INTERVAL = 100_000_000;

    /** When the count of the burst will be zero again, in nanoseconds; none yet if {@code counting} is false. */
    private long paidUntil;

    private boolean counting;

    /** Counts an interim response. False if there are too many. */
    public boolean take() {
        long now = System.nanoTime();
        if (!counting || paidUntil - now < 0) {
            counting = true;
            paidUntil = now;
        }
        paidUntil += INTERVAL;
        return paidUntil - now <= MAX_BURST * INTERVAL;
    }
}
