package io.millrace.protocol.mux;

import io.millrace.io.LogThrottle;
import io.millrace.io.Timers;
import io.millrace.protocol.FlushGuard;
import io.millrace.protocol.HttpOptions;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/** What the connections of one connector share. Any thread. */
public final class MuxContext {

    private enum Notice {
        HEAD_TOO_LARGE
    }

    private final Settings options;
    private @Nullable volatile FlushGuard guard;
    private final StreamThreads writers = StreamThreads.writing();
    private final StreamThreads files = StreamThreads.readingFiles();
    private final LogThrottle<Fault> faults = new LogThrottle<>(Fault.class);
    private final LogThrottle<SlowBody> slowBodies = new LogThrottle<>(SlowBody.class);
    private final LogThrottle<Notice> notices = new LogThrottle<>(Notice.class);

    /** One for each connector. */
    public MuxContext(Settings options) {
        this.options = options;
    }

    /** The limits: {@link MuxOptions} and those of all protocols. */
    public Settings options() {
        return options;
    }

    /** Write for readers, where writing blocks. */
    StreamThreads writers() {
        return writers;
    }

    /** Read files for streams, where the threads that write must not. */
    StreamThreads files() {
        return files;
    }

    /** Flushes what was collected: for the connections of one server, whose timers these are. */
    FlushGuard guard(Timers timers) {
        FlushGuard known = guard;
        if (known == null || !known.isOf(timers)) {
            known = new FlushGuard(timers);
            guard = known;
        }
        return known;
    }

    /** A peer broke a rule, or its budget is used up. */
    void note(ConnectionFault fault, Object peer) {
        if (faults.isDue(fault.fault())) {
            MuxLog.LOG.connectionFault(peer, fault.fault(), String.valueOf(fault.getMessage()));
        }
    }

    /** The body of a request came too slowly. */
    void note(SlowBody why, Object peer) {
        if (slowBodies.isDue(why)) {
            MuxLog.LOG.bodyGivenUp(
                    peer, why.violation().status(), why.violation().advice());
        }
    }

    /** A response's head was too large. */
    void noteHeadTooLarge(int size) {
        if (notices.isDue(Notice.HEAD_TOO_LARGE)) {
            MuxLog.LOG.responseHeadTooLarge(size, options.get(HttpOptions.MAX_RESPONSE_HEADER_SIZE));
        }
    }
}
