package io.millrace.io;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.numberOrNoLimit;
import static io.millrace.settings.SettingType.word;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The options of a transport, and the declarations of its settings. Immutable.
 *
 * @param name the name in thread names and log messages
 * @param settings the settings of sockets and threads
 * @param buffers the pool for reading and writing
 * @param timers the timers for idle timeouts
 * @param meter counts what happens on the connections
 */
public record TransportOptions(
        String name, Settings settings, BufferPool buffers, Timers timers, ConnectionMeter meter) {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The range of values that the operating system accepts for SO_LINGER. */
    private static final SettingType<Integer> SECONDS = number(-1, 65_535);

    private static final SettingType<Integer> BYTES = number(0, Integer.MAX_VALUE);

    /** The length of the listen backlog: the connections that the system completes before they are accepted. */
    public static final Setting<Integer> ACCEPT_COUNT = GROUP.add("acceptCount", number(1, Integer.MAX_VALUE), 100);

    /** The maximum number of open connections; at the limit accepting pauses, and connections stay in the backlog. -1: no limit. */
    public static final Setting<Integer> MAX_CONNECTIONS =
            GROUP.add("maxConnections", number(-1, Integer.MAX_VALUE), 8192);

    /** Sends small segments immediately (TCP_NODELAY). */
    public static final Setting<Boolean> TCP_NO_DELAY = GROUP.add("tcpNoDelay", FLAG, true);

    /** Lets the system probe idle connections (SO_KEEPALIVE). */
    public static final Setting<Boolean> SO_KEEP_ALIVE = GROUP.add("socket.soKeepAlive", FLAG, false);

    /** Binds although connections of an earlier server are in TIME_WAIT (SO_REUSEADDR). */
    public static final Setting<Boolean> SO_REUSE_ADDRESS = GROUP.add("socket.soReuseAddress", FLAG, true);

    /** Seconds that closing waits for unsent bytes (SO_LINGER); -1 leaves it to the system. */
    public static final Setting<Integer> SO_LINGER = GROUP.add("connectionLinger", SECONDS, -1);

    /**
     * Bytes that the system buffers per connection for sending (SO_SNDBUF); 0 leaves it to the system, but for accepted
     * connections of the loopback interface, which have 208 KiB.
     */
    public static final Setting<Integer> SEND_BUFFER = GROUP.add("socket.txBufSize", BYTES, 0);

    /** Bytes that the system buffers per connection for receiving (SO_RCVBUF); 0 leaves it to the system. */
    public static final Setting<Integer> RECEIVE_BUFFER = GROUP.add("socket.rxBufSize", BYTES, 0);

    /**
     * The minimum average rate at which a client takes a response, in bytes per second, over the time that the server
     * waits for it; a response that falls behind by more than the {@linkplain #MIN_DOWNLOAD_RATE_GRACE grace period}
     * is aborted. -1: no minimum. Not in Tomcat. Waits for the socket to accept output count, and on HTTP/2 and SPDY also
     * those for window updates; ignored where such a wait has no timeout.
     */
    public static final Setting<Integer> MIN_DOWNLOAD_RATE = GROUP.add("minDownloadRate", numberOrNoLimit(1), 240);

    /**
     * How far a client may fall behind {@link #MIN_DOWNLOAD_RATE} in total; at least the timeout of a single wait, so that
     * no wait which that timeout allows is cut short.
     */
    public static final Setting<Duration> MIN_DOWNLOAD_RATE_GRACE =
            GROUP.add("minDownloadRateGrace", MILLISECONDS, Duration.ofSeconds(30));

    /** The number of threads that poll connections; 0 means one per processor. Not in Tomcat since version 9. */
    public static final Setting<Integer> IO_THREADS = GROUP.add("ioThreads", number(0, 1024), 0);

    /** The event loop of these threads, one of {@link TransportProvider#loops}; empty for the transport's default. */
    public static final Setting<String> LOOP = GROUP.add(
            "loop",
            SettingType.TEXT.readFrom(
                    word("selector", "xnio"), loop -> loop.strip().toLowerCase(Locale.ROOT)),
            "",
            null);

    /** The maximum number of threads that serve connections where each has a platform thread of its own (bio). */
    public static final Setting<Integer> MAX_THREADS = GROUP.add("maxThreads", number(1, Integer.MAX_VALUE), 200);

    /** The kind of these threads. */
    public static final Setting<Threads> THREADS = GROUP.add(
            "useVirtualThreads",
            SettingType.constant(Threads.class)
                    .readFrom(BOOLEAN, virtual -> virtual ? Threads.VIRTUAL : Threads.PLATFORM),
            Threads.AUTO,
            null);

    /** The kind of threads. */
    public enum Threads {
        /** Virtual threads on Java 21 and later, platform threads otherwise. */
        AUTO,
        VIRTUAL,
        PLATFORM
    }

    public TransportOptions {
        Objects.requireNonNull(name);
        Objects.requireNonNull(settings);
        Objects.requireNonNull(buffers);
        Objects.requireNonNull(timers);
        Objects.requireNonNull(meter);
    }

    /** Options with the default of each setting, which are Tomcat's. */
    public static TransportOptions defaults(String name, BufferPool buffers, Timers timers) {
        return new TransportOptions(name, Settings.DEFAULTS, buffers, timers, new ConnectionMeter());
    }

    /** All settings of transports. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /** The same with another value of a setting. */
    public <T> TransportOptions with(Setting<T> setting, T value) {
        return new TransportOptions(name, settings.with(setting, value), buffers, timers, meter);
    }
}
