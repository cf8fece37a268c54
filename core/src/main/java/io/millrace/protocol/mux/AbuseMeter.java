package io.millrace.protocol.mux;

import java.util.concurrent.TimeUnit;

/**
 * Limits the work that a peer causes beyond its requests, with two token buckets, each stored as the time at which it will
 * be full again: for streams that either side reset before their response was complete (CVE-2023-44487, CVE-2025-8671), and
 * for glitches, frames without effect. The rates are those of nghttp2, proven with browsers, gRPC and load generators.
 *
 * <p>Within the first budget, a peer that resets more streams than it lets end is slowed down earlier: each of its requests costs what it
 * was begun for, behind a proxy a connection to a backend, and nobody receives an answer. What is answered pays for a reset.
 *
 * <p>Window updates and pings are normal reactions to output: a client sends two window updates for each frame of a body,
 * and gRPC pings to measure the bandwidth. Each stream and each frame of a body therefore earns some; only those in excess
 * count as glitches.
 *
 * <p><b>Threads.</b> Thread-safe; its monitor is a leaf, which may be entered with the lock of the connection held.
 */
final class AbuseMeter {

    /** How a peer is treated. */
    enum Verdict {
        FINE,
        /** Its next requests are delayed. */
        SLOW,
        /** Its connection is closed. */
        STOP
    }

    static final int MAX_RESETS = 1000;
    static final int RESETS_PER_SECOND = 33;

    /** How many more streams may be reset than are answered, before requests are delayed: those of two pages that a user leaves. */
    static final int MAX_WASTED = 200;

    static final int MAX_GLITCHES = 10_000;
    static final int GLITCHES_PER_SECOND = 330;

    private static final int FRAMES_EARNED = 2;
    private static final int OCTETS_EARNING = 512;

    /** The default window of a stream that is read, in frames of 1 KiB. */
    private static final int FRAMES_IN_FLIGHT = 256;

    private static final int MIN_CUT = 256;
    private static final int MAX_EARNED = 1 << 20;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long RESET_COST = SECOND / RESETS_PER_SECOND;
    private static final long GLITCH_COST = SECOND / GLITCHES_PER_SECOND;

    /** The {@link System#nanoTime} at which the bucket is full again. */
    private long resetsUntil;

    private long glitchesUntil;

    /** As {@link #resetsUntil}, of resets that no answer has paid for. */
    private long wastedUntil;

    /** The number of window updates and pings that the peer may send for output it has received. */
    private int earned;

    /** Full buckets. */
    AbuseMeter(long now) {
        resetsUntil = now;
        glitchesUntil = now;
        wastedUntil = now;
    }

    /** Records that a stream was reset before its response was complete. */
    synchronized Verdict reset(long now) {
        resetsUntil = later(resetsUntil, now) + RESET_COST;
        wasted(now);
        return resets(now);
    }

    /** Records that a stream was reset, whether or not it had caused work. What is remembered of them is over after nine seconds. */
    private void wasted(long now) {
        long most = now + 3 * MAX_WASTED / 2 * RESET_COST;
        long until = later(wastedUntil, now) + RESET_COST;
        wastedUntil = until - most > 0 ? most : until;
    }

    /** Records that a request was answered completely. */
    synchronized void answered() {
        wastedUntil -= RESET_COST;
    }

    /** Records a frame without effect. */
    synchronized Verdict glitch(long now) {
        glitchesUntil = later(glitchesUntil, now) + GLITCH_COST;
        return glitchesUntil - now > MAX_GLITCHES * GLITCH_COST ? Verdict.STOP : Verdict.FINE;
    }

    /** Records that a stream was opened: the peer may update its window and the connection's. */
    synchronized void opened() {
        earn(FRAMES_EARNED);
    }

    /**
     * Records that a frame of a body was sent.
     *
     * @param cut whether a window limited its length. A peer that opens its windows by a few octets at a time earns nothing
     */
    synchronized void sent(int bytes, boolean cut) {
        if (!cut || bytes >= MIN_CUT) {
            earn(FRAMES_EARNED + bytes / OCTETS_EARNING);
        }
    }

    /** Records that a stream was reset while its peer was still sending: frames in flight are not glitches. */
    synchronized void interrupted() {
        earn(FRAMES_IN_FLIGHT);
    }

    private void earn(int frames) {
        earned = Math.min(MAX_EARNED, earned + frames);
    }

    /** Records a frame that may be a reaction to output. False if the output does not account for it: it is a glitch. */
    synchronized boolean spend() {
        boolean paid = earned > 0;
        earned -= paid ? 1 : 0;
        return paid;
    }

    /** Like {@link #reset}, but throws above the limit. */
    void countReset() throws ConnectionFault {
        if (reset(System.nanoTime()) == Verdict.STOP) {
            throw new ConnectionFault(
                    Fault.ENHANCE_YOUR_CALM,
                    "more than " + MAX_RESETS + " stream resets, and then " + RESETS_PER_SECOND + " a second");
        }
    }

    /** Counts the reset of a request that was held back: a frame without effect, and the next ones are held back too. */
    void countHeldBack() throws ConnectionFault {
        synchronized (this) {
            wasted(System.nanoTime());
        }
        countGlitch();
    }

    /** Like {@link #glitch}, but throws above the limit. */
    void countGlitch() throws ConnectionFault {
        if (glitch(System.nanoTime()) == Verdict.STOP) {
            throw new ConnectionFault(
                    Fault.ENHANCE_YOUR_CALM,
                    "more than " + MAX_GLITCHES + " frames without effect, and then " + GLITCHES_PER_SECOND
                            + " a second");
        }
    }

    /** Counts a frame as a glitch, unless it may be a reaction to our output; throws above the limit. */
    void countUnlessEarned() throws ConnectionFault {
        if (!spend()) {
            countGlitch();
        }
    }

    /** The verdict on the resets so far: SLOW above three quarters of the limit, or if few requests are answered. */
    synchronized Verdict resets(long now) {
        long used = resetsUntil - now;
        long max = MAX_RESETS * RESET_COST;
        if (used > max) {
            return Verdict.STOP;
        }
        boolean isSlow = used > max / 4 * 3 || wastedUntil - now > MAX_WASTED * RESET_COST;
        return isSlow ? Verdict.SLOW : Verdict.FINE;
    }

    private static long later(long time, long now) {
        return time - now > 0 ? time : now;
    }
}
