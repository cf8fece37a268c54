package io.millrace.http1;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.countOrNoLimit;
import static io.millrace.settings.SettingType.largeNumber;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.numberOrNoLimit;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The limits and leniencies of HTTP/1.1, with Tomcat's names and defaults; those of
 * {@link io.millrace.protocol.ProtocolOptions} and {@link io.millrace.protocol.HttpOptions} hold as well. Each limit is named in the log line that says it was exceeded.
 */
public final class Http1Options {

    private static final SettingGroup GROUP = new SettingGroup();

    /** Bytes of chunk extensions in one body (400). */
    public static final Setting<Integer> MAX_EXTENSION_SIZE = GROUP.add("maxExtensionSize", countOrNoLimit(0), 8192);

    /** Bytes of an unread body that are read and dropped to keep the connection; -1: no limit. */
    public static final Setting<Long> MAX_SWALLOW_SIZE =
            GROUP.add("maxSwallowSize", largeNumber(-1, Long.MAX_VALUE), 2L * 1024 * 1024);

    /** Requests on one connection; -1: no limit; 1: no keep-alive, as Tomcat's 0. */
    public static final Setting<Integer> MAX_KEEP_ALIVE_REQUESTS = GROUP.add(
            "maxKeepAliveRequests",
            numberOrNoLimit(1).readFrom(number(-1, Integer.MAX_VALUE), count -> count == 0 ? 1 : count),
            100);

    /**
     * For each wait for a request's body; zero waits for ever. Unless set it is the connectionTimeout; server.xml sets it by
     * disableUploadTimeout="false".
     */
    public static final Setting<Duration> UPLOAD_TIMEOUT =
            GROUP.add("connectionUploadTimeout", MILLISECONDS, Duration.ofMinutes(5));

    /**
     * Whether a field with an illegal name or value is refused (400) rather than left out. Even if false a field that would
     * say how the request is framed, or where it goes, is refused: a proxy may have read it.
     */
    public static final Setting<Boolean> REJECT_ILLEGAL_HEADER = GROUP.add("rejectIllegalHeader", BOOLEAN, true);

    /** When a client that waits for 100 gets it; unlike Tomcat's, when the body is first read. */
    public static final Setting<ContinueTiming> CONTINUE_TIMING =
            GROUP.add("continueResponseTiming", SettingType.constant(ContinueTiming.class), ContinueTiming.ON_READ);

    /** Whether a client that asked for keep-alive is told the keepAliveTimeout. */
    public static final Setting<Boolean> KEEP_ALIVE_HEADER = GROUP.add("useKeepAliveResponseHeader", FLAG, true);

    private Http1Options() {}

    /** All of them; those that other protocols have as well are not among them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    static Duration uploadTimeout(Settings settings) {
        return settings.get(settings.isSet(UPLOAD_TIMEOUT) ? UPLOAD_TIMEOUT : CONNECTION_TIMEOUT);
    }
}
