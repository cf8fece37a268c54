package io.millrace.protocol.mux;

import java.util.concurrent.TimeUnit;

/**
 * What a peer may cost beyond its requests: token buckets, each the time at which it will be full again. Streams that ended by
 * a reset before their response was whole, whoever sent it (CVE-2023-44487, CVE-2025-8671), and frames that say nothing. The
 * limits are those of nghttp2, which browsers, gRPC and load generators have lived with for years.
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

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long RESET_COST = SECOND / RESETS_PER_SECOND;
    private static final long GLITCH_COST = SECOND / GLITCHES_PER_SECOND;

    /** When nothing would be left of what was counted; relative to nanoTime. */
    private long resetsUntil;

    private long glitchesUntil;

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
