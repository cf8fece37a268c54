package io.millrace.io;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.word;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What a transport works with, and how it treats its sockets: the settings are declared here. Immutable.
 *
 * @param name in thread names and log lines
 * @param settings of sockets and threads
 * @param buffers where reads lease their chunks
 * @param timers for idle timeouts
 */
public record TransportOptions(String name, Settings settings, BufferPool buffers, Timers timers) {

    private static final SettingGroup GROUP = new SettingGroup();

    /** What the system takes for a linger. */
    private static final SettingType<Integer> SECONDS = number(-1, 65_535);

    private static final SettingType<Integer> BYTES = number(0, Integer.MAX_VALUE);

    /** How many connections the system completes before they are accepted: the listen backlog. */
    public static final Setting<Integer> ACCEPT_COUNT = GROUP.add("acceptCount", number(1, Integer.MAX_VALUE), 100);

    /** Connections open at once; at the limit accepting pauses, and connections stay in the backlog. -1: no limit. */
    public static final Setting<Integer> MAX_CONNECTIONS =
            GROUP.add("maxConnections", number(-1, Integer.MAX_VALUE), 8192);

    /** Send small segments at once (TCP_NODELAY). */
    public static final Setting<Boolean> TCP_NO_DELAY = GROUP.add("tcpNoDelay", FLAG, true);

    /** Let the system probe idle connections (SO_KEEPALIVE). */
    public static final Setting<Boolean> SO_KEEP_ALIVE = GROUP.add("socket.soKeepAlive", FLAG, false);

    /** Bind although connections of an earlier server linger (SO_REUSEADDR). */
    public static final Setting<Boolean> SO_REUSE_ADDRESS = GROUP.add("socket.soReuseAddress", FLAG, true);

    /** Seconds that closing waits for unsent bytes (SO_LINGER); -1 leaves it to the system. */
    public static final Setting<Integer> SO_LINGER = GROUP.add("connectionLinger", SECONDS, -1);

    /** Bytes that the system buffers per connection for sending (SO_SNDBUF); 0 leaves it to the system. */
    public static final Setting<Integer> SEND_BUFFER = GROUP.add("socket.txBufSize", BYTES, 0);

    /** Bytes that the system buffers per connection for receiving (SO_RCVBUF); 0 leaves it to the system. */
    public static final Setting<Integer> RECEIVE_BUFFER = GROUP.add("socket.rxBufSize", BYTES, 0);

    /** Threads that poll connections; 0 means one per processor. Not in Tomcat since version 9. */
    public static final Setting<Integer> IO_THREADS = GROUP.add("ioThreads", number(0, 1024), 0);

    /** The event loop that those run, one of {@link TransportProvider#loops}; empty: the transport's own choice. */
    public static final Setting<String> LOOP = GROUP.add(
            "loop",
            SettingType.TEXT.readFrom(
                    word("selector", "xnio"), loop -> loop.strip().toLowerCase(Locale.ROOT)),
            "",
            null);

    /** The most threads that serve connections where each has a platform thread of its own (bio). */
    public static final Setting<Integer> MAX_THREADS = GROUP.add("maxThreads", number(1, Integer.MAX_VALUE), 200);

    /** Of which kind those are. */
    public static final Setting<Threads> THREADS = GROUP.add(
            "useVirtualThreads",
            SettingType.constant(Threads.class)
                    .readFrom(BOOLEAN, virtual -> virtual ? Threads.VIRTUAL : Threads.PLATFORM),
            Threads.AUTO,
            null);

    /** The kind of threads. */
    public enum Threads {
        /** Virtual where Java has them (21 and later), platform threads otherwise. */
        AUTO,
        VIRTUAL,
        PLATFORM
    }

    public TransportOptions {
        Objects.requireNonNull(name);
        Objects.requireNonNull(settings);
        Objects.requireNonNull(buffers);
        Objects.requireNonNull(timers);
    }

    /** With the default of each setting: Tomcat's. */
    public static TransportOptions defaults(String name, BufferPool buffers, Timers timers) {
        return new TransportOptions(name, Settings.DEFAULTS, buffers, timers);
    }

    /** All settings that a transport heeds. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /** The same with another value of a setting. */
    public <T> TransportOptions with(Setting<T> setting, T value) {
        return new TransportOptions(name, settings.with(setting, value), buffers, timers);
    }
}
