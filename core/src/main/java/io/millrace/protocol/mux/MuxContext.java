package io.millrace.protocol.mux;

import io.millrace.io.Channel;
import io.millrace.io.LogThrottle;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.log.CoreLog;
import io.millrace.protocol.FlushGuard;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.RequestFault;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/** The state that all connections of a connector share. Thread-safe. */
public final class MuxContext {

    private enum Notice {
        HEAD_TOO_LARGE
    }

    private final Settings options;
    private @Nullable volatile FlushGuard guard;
    private final StreamThreads writers = StreamThreads.writing();
    private final StreamThreads files = StreamThreads.readingFiles();
    private final LogThrottle<Fault> faults = new LogThrottle<>(Fault.class);
    private final LogThrottle<RequestFault> slowBodies = new LogThrottle<>(RequestFault.class);
    private final LogThrottle<Notice> notices = new LogThrottle<>(Notice.class);

    /** The state of one connector. */
    public MuxContext(Settings options) {
        this.options = options;
    }

    /** The limits: {@link MuxOptions} and those of all protocols. */
    public Settings options() {
        return options;
    }

    /** The threads that write on behalf of readers, where writing blocks. */
    StreamThreads writers() {
        return writers;
    }

    /** The threads that read files for streams, where the threads that write must not block. */
    StreamThreads files() {
        return files;
    }

    /** Flushes buffered output of the connections of one server, to which these timers belong. */
    FlushGuard guard(Timers timers) {
        FlushGuard known = guard;
        if (known == null || !known.isOf(timers)) {
            known = new FlushGuard(timers);
            guard = known;
        }
        return known;
    }

    /** Logs a violation by a peer, or that it exceeded a limit against floods. */
    void note(ConnectionFault fault, Object peer) {
        if (faults.isDue(fault.fault())) {
            CoreLog.PROTOCOL.connectionFault(peer, fault.fault(), String.valueOf(fault.getMessage()));
        }
    }

    /** Logs that the body of a request arrived too slowly. */
    void note(RequestFault why, Object peer) {
        if (slowBodies.isDue(why)) {
            CoreLog.PROTOCOL.streamBodyGivenUp(peer, why.status(), why.advice());
        }
    }

    /** Logs that a client took a response too slowly. */
    void noteSlowReader(Channel channel) {
        if (channel.limits().reached(Limit.STREAM_DOWNLOAD_RATE)) {
            CoreLog.PROTOCOL.streamReaderTooSlow(
                    channel.info().remote(), options.get(TransportOptions.MIN_DOWNLOAD_RATE));
        }
    }

    /** Logs that a request is held back. */
    void noteHeldBack(Channel channel) {
        if (channel.limits().reached(Limit.RESETS)) {
            CoreLog.PROTOCOL.requestHeldBack(channel.info().remote());
        }
    }

    /** Logs that a response's head was too large. */
    void noteHeadTooLarge(int size) {
        if (notices.isDue(Notice.HEAD_TOO_LARGE)) {
            CoreLog.PROTOCOL.streamHeadTooLarge(size, options.get(HttpOptions.MAX_RESPONSE_HEADER_SIZE));
        }
    }
}
