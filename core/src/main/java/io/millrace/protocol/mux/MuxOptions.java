package io.millrace.protocol.mux;

import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.countOrNoLimit;
import static io.millrace.settings.SettingType.number;

import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The limits of a connector whose connections carry many streams each, beside those of {@link io.millrace.protocol.ProtocolOptions}
 * and {@link io.millrace.protocol.HttpOptions}, of which connectionTimeout is also for the rest of a frame or header block
 * that has begun, and for the acknowledgment of settings.
 */
public final class MuxOptions {

    /** The window that streams and connections have unless something else is agreed on (RFC 9113, 6.9.2). */
    public static final int USUAL_WINDOW = 65_535;

    private static final SettingGroup GROUP = new SettingGroup();

    /**
     * How many requests one connection may have under way; more are refused. Those that the peer has reset count until their
     * handlers have returned.
     */
    public static final Setting<Integer> MAX_CONCURRENT_STREAMS =
            GROUP.add("maxConcurrentStreams", countOrNoLimit(1), 100);

    /** How many octets of a body the peer may send before anybody asks for it. */
    public static final Setting<Integer> INITIAL_WINDOW_SIZE =
            GROUP.add("initialWindowSize", number(0, Integer.MAX_VALUE), USUAL_WINDOW);

    /** The same once the application reads the body; at least the {@link #INITIAL_WINDOW_SIZE}. Not in Tomcat. */
    public static final Setting<Integer> STREAM_WINDOW_SIZE =
            GROUP.add("streamWindowSize", number(0, Integer.MAX_VALUE), 256 * 1024);

    /**
     * How many octets of bodies may be on their way on the whole connection; bounds no memory, since it is opened again as
     * octets arrive. Not in Tomcat.
     */
    public static final Setting<Integer> CONNECTION_WINDOW_SIZE =
            GROUP.add("connectionWindowSize", number(USUAL_WINDOW, Integer.MAX_VALUE), 16 * 1024 * 1024);

    /** For each wait for a request's body; zero waits for ever. */
    public static final Setting<Duration> STREAM_READ_TIMEOUT =
            GROUP.add("streamReadTimeout", MILLISECONDS, Duration.ofSeconds(20));

    /** How long a response may wait for its window to be opened; zero waits for ever. */
    public static final Setting<Duration> STREAM_WRITE_TIMEOUT =
            GROUP.add("streamWriteTimeout", MILLISECONDS, Duration.ofSeconds(20));

    /** Fields after a request's body; more reset the stream. */
    public static final Setting<Integer> MAX_TRAILER_COUNT = GROUP.add("maxTrailerCount", countOrNoLimit(1), 100);

    /** May {@code :scheme} be another than that of the connection? Behind a front end that ends TLS it is. */
    public static final Setting<Boolean> ALLOW_SCHEME_MISMATCH = GROUP.add("allowSchemeMismatch", FLAG, false);

    private MuxOptions() {}

    /** All of them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** What operators may set of a client: these, and the limits of responses. */
    public static List<Setting<?>> ofClients() {
        return List.of(
                HttpOptions.MAX_RESPONSE_HEADER_SIZE,
                ProtocolOptions.MAX_HEADER_COUNT,
                HttpOptions.MAX_TRAILER_SIZE,
                MAX_CONCURRENT_STREAMS,
                INITIAL_WINDOW_SIZE,
                STREAM_WINDOW_SIZE,
                CONNECTION_WINDOW_SIZE);
    }

    /**
     * The settings of a client, which reads responses where a server reads requests: what is set for those is for these.
     *
     * @param responseTimeout how long the server may send nothing when it is to answer, or take nothing of a request
     * @param keepAliveTimeout how long a connection without requests is kept
     */
    public static Settings ofClient(Settings settings, Duration responseTimeout, Duration keepAliveTimeout) {
        int maxHeadSize = settings.get(HttpOptions.MAX_RESPONSE_HEADER_SIZE);
        return settings.with(HttpOptions.MAX_REQUEST_HEADER_SIZE, maxHeadSize)
                .with(STREAM_READ_TIMEOUT, responseTimeout)
                .with(STREAM_WRITE_TIMEOUT, responseTimeout)
                .with(ProtocolOptions.KEEP_ALIVE_TIMEOUT, keepAliveTimeout);
    }

    /** The window of a stream that is read. */
    static int streamWindow(Settings settings) {
        return Math.max(settings.get(INITIAL_WINDOW_SIZE), settings.get(STREAM_WINDOW_SIZE));
    }
}
