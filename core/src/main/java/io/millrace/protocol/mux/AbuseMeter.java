package io.millrace.protocol.mux;

import java.util.concurrent.TimeUnit;

/**
 * What a peer may cost beyond its requests: token buckets, each the time at which it will be full again. Streams that ended by
 * a reset before their response was whole, whoever sent it (CVE-2023-44487, CVE-2025-8671), and frames that say nothing. The
 * limits are those of nghttp2, which browsers, gRPC and load generators have lived with for years.
 *
 * <p>Opened windows and pings go with what is sent: a client answers each frame of a body with two of the one, and gRPC's measure
 * the way by the other. Each stream and each frame of a body pays for some; only those beyond count as frames that say nothing.
 *
 * <p>Guarded by the connection's output lock.
 */
final class AbuseMeter {

    /** What to do with a peer. */
    enum Verdict {
        FINE,
        /** Its next requests wait. */
        SLOW,
        /** Its connection is closed. */
        STOP
    }

    static final int MAX_RESETS = 1000;
    static final int RESETS_PER_SECOND = 33;
    static final int MAX_GLITCHES = 10_000;
    static final int GLITCHES_PER_SECOND = 330;

    private static final int FRAMES_EARNED = 2;
    private static final int OCTETS_EARNING = 512;

    /** The window of a stream that is read, in frames of a kilobyte. */
    private static final int FRAMES_UNDER_WAY = 256;

    private static final int LEAST_CUT = 256;
    private static final int MOST_EARNED = 1 << 20;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long RESET_COST = SECOND / RESETS_PER_SECOND;
    private static final long GLITCH_COST = SECOND / GLITCHES_PER_SECOND;

    /** When nothing would be left of what was counted; relative to nanoTime. */
    private long resetsUntil;

    private long glitchesUntil;

    /** Frames that the peer may send for what it was sent. */
    private int earned;

    /** Nothing was counted. */
    AbuseMeter(long now) {
        resetsUntil = now;
        glitchesUntil = now;
    }

    /** A stream was reset before its response was whole. */
    Verdict reset(long now) {
        resetsUntil = later(resetsUntil, now) + RESET_COST;
        return resets(now);
    }

    /** A frame that says nothing. */
    Verdict glitch(long now) {
        glitchesUntil = later(glitchesUntil, now) + GLITCH_COST;
        return glitchesUntil - now > MAX_GLITCHES * GLITCH_COST ? Verdict.STOP : Verdict.FINE;
    }

    /** A stream was opened: the peer may open its window and the connection's. */
    void opened() {
        earn(FRAMES_EARNED);
    }

    /**
     * A frame of a body was sent.
     *
     * @param cut is it as short as it is because of a window? A peer that opens windows by a few octets earns nothing
     */
    void sent(int octets, boolean cut) {
        if (!cut || octets >= LEAST_CUT) {
            earn(FRAMES_EARNED + octets / OCTETS_EARNING);
        }
    }

    /** A stream was reset while its peer was still sending: what was under way is no fault. */
    void interrupted() {
        earn(FRAMES_UNDER_WAY);
    }

    private void earn(int frames) {
        earned = Math.min(MOST_EARNED, earned + frames);
    }

    /** A frame came that what was sent may have caused. False if nothing is left that it could have been. */
    boolean spend() {
        boolean paid = earned > 0;
        earned -= paid ? 1 : 0;
        return paid;
    }

    /** As {@link #reset}; more than is allowed ends the connection. */
    void countReset() throws ConnectionFault {
        if (reset(System.nanoTime()) == Verdict.STOP) {
            throw new ConnectionFault(
                    Fault.ENHANCE_YOUR_CALM,
                    "more streams reset than " + MAX_RESETS + " and then " + RESETS_PER_SECOND + " a second");
        }
    }

    /** As {@link #glitch}; more than are allowed end the connection. */
    void countGlitch() throws ConnectionFault {
        if (glitch(System.nanoTime()) == Verdict.STOP) {
            throw new ConnectionFault(
                    Fault.ENHANCE_YOUR_CALM,
                    "more frames without effect than " + MAX_GLITCHES + " and then " + GLITCHES_PER_SECOND
                            + " a second");
        }
    }

    /** What the resets come to: a quarter of what is allowed is left when it becomes slow. */
    Verdict resets(long now) {
        long used = resetsUntil - now;
        long most = MAX_RESETS * RESET_COST;
        return used > most ? Verdict.STOP : used > most / 4 * 3 ? Verdict.SLOW : Verdict.FINE;
    }

    private static long later(long time, long now) {
        return time - now > 0 ? time : now;
    }
}
