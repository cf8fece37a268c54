package io.millrace.protocol.mux;

import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.countOrNoLimit;
import static io.millrace.settings.SettingType.number;

import io.millrace.io.TransportOptions;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The limits of multiplexed protocols, besides those of {@link io.millrace.protocol.ProtocolOptions} and {@link
 * io.millrace.protocol.HttpOptions}. The connectionTimeout of those also applies to the rest of an incomplete frame or
 * header block.
 */
public final class MuxOptions {

    /** The initial window of streams and connections before any settings (RFC 9113, 6.9.2). */
    public static final int USUAL_WINDOW = 65_535;

    private static final SettingGroup GROUP = new SettingGroup();

    /**
     * The maximum number of concurrent requests on a connection; more are refused. Requests that the peer has reset count
     * until their exchanges have ended.
     */
    public static final Setting<Integer> MAX_CONCURRENT_STREAMS =
            GROUP.add("maxConcurrentStreams", countOrNoLimit(1), 100);

    /**
     * The maximum number of requests of a connection that worker threads process at the same time; others wait. Without
     * it, a connection gets its fair share of the workers ({@link io.millrace.workers.Workers#share}).
     */
    public static final Setting<Integer> MAX_CONCURRENT_STREAM_EXECUTION =
            GROUP.add("maxConcurrentStreamExecution", countOrNoLimit(1), Integer.MAX_VALUE, "-1");

    /** The number of octets of a body that the peer may send before the application reads it. */
    public static final Setting<Integer> INITIAL_WINDOW_SIZE =
            GROUP.add("initialWindowSize", number(0, Integer.MAX_VALUE), USUAL_WINDOW);

    /** The same once the application reads the body; at least the {@link #INITIAL_WINDOW_SIZE}. Not in Tomcat. */
    public static final Setting<Integer> STREAM_WINDOW_SIZE =
            GROUP.add("streamWindowSize", number(0, Integer.MAX_VALUE), 256 * 1024);

    /**
     * The maximum number of octets of bodies in flight on the whole connection. Does not limit memory, since it is
     * replenished as octets arrive. Not in Tomcat.
     */
    public static final Setting<Integer> CONNECTION_WINDOW_SIZE =
            GROUP.add("connectionWindowSize", number(USUAL_WINDOW, Integer.MAX_VALUE), 16 * 1024 * 1024);

    /** The timeout of each wait for a request's body; zero for none. */
    public static final Setting<Duration> STREAM_READ_TIMEOUT =
            GROUP.add("streamReadTimeout", MILLISECONDS, Duration.ofSeconds(20));

    /** How long a response may wait for a window update; zero for no limit. */
    public static final Setting<Duration> STREAM_WRITE_TIMEOUT =
            GROUP.add("streamWriteTimeout", MILLISECONDS, Duration.ofSeconds(20));

    /** The maximum number of trailer fields of a request; more reset the stream. */
    public static final Setting<Integer> MAX_TRAILER_COUNT = GROUP.add("maxTrailerCount", countOrNoLimit(1), 100);

    /** Whether {@code :scheme} may differ from that of the connection, as it does behind a front end that terminates TLS. */
    public static final Setting<Boolean> ALLOW_SCHEME_MISMATCH = GROUP.add("allowSchemeMismatch", FLAG, false);

    private MuxOptions() {}

    /** All of these settings. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The settings that operators may configure for a client: some of these, and the limits of responses. */
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
     * The settings of a client, in which the limits of requests apply to responses.
     *
     * @param responseTimeout the timeout of each wait for the server: to respond, or to receive the request
     * @param keepAliveTimeout the idle timeout of a connection without requests
     */
    public static Settings ofClient(Settings settings, Duration responseTimeout, Duration keepAliveTimeout) {
        int maxHeadSize = settings.get(HttpOptions.MAX_RESPONSE_HEADER_SIZE);
        return settings.with(HttpOptions.MAX_REQUEST_HEADER_SIZE, maxHeadSize)
                .with(TransportOptions.MIN_DOWNLOAD_RATE, -1)
                .with(STREAM_READ_TIMEOUT, responseTimeout)
                .with(STREAM_WRITE_TIMEOUT, responseTimeout)
                .with(ProtocolOptions.KEEP_ALIVE_TIMEOUT, keepAliveTimeout);
    }

    /** The window of a stream that is read. */
    static int streamWindow(Settings settings) {
        return Math.max(settings.get(INITIAL_WINDOW_SIZE), settings.get(STREAM_WINDOW_SIZE));
    }
}
