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
 * The limits and compatibility settings of HTTP/1.1, with Tomcat's names and defaults; those in {@link
 * io.millrace.protocol.ProtocolOptions} and {@link io.millrace.protocol.HttpOptions} apply as well. The log line of a
 * rejected request names the limit that it exceeded.
 */
public final class Http1Options {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The maximum total size of the chunk extensions in a body, in bytes (otherwise 400). */
    public static final Setting<Integer> MAX_EXTENSION_SIZE = GROUP.add("maxExtensionSize", countOrNoLimit(0), 8192);

    /** The maximum size of an unread body that is discarded in order to keep the connection, in bytes; -1 for no limit. */
    public static final Setting<Long> MAX_SWALLOW_SIZE =
            GROUP.add("maxSwallowSize", largeNumber(-1, Long.MAX_VALUE), 2L * 1024 * 1024);

    /** The maximum number of requests on a connection; -1 for no limit; 1 for no keep-alive, like Tomcat's 0. */
    public static final Setting<Integer> MAX_KEEP_ALIVE_REQUESTS = GROUP.add(
            "maxKeepAliveRequests",
            numberOrNoLimit(1).readFrom(number(-1, Integer.MAX_VALUE), count -> count == 0 ? 1 : count),
            100);

    /**
     * The timeout of each wait for the body of a request; zero for none. Default: the connectionTimeout;
     * server.xml sets it only with disableUploadTimeout="false".
     */
    public static final Setting<Duration> UPLOAD_TIMEOUT =
            GROUP.add("connectionUploadTimeout", MILLISECONDS, Duration.ofMinutes(5));

    /**
     * Whether a request with an invalid field name or value is rejected (400) instead of the field being ignored. An
     * invalid field that would affect the framing or the routing of the request is always rejected: a proxy may have
     * interpreted it.
     */
    public static final Setting<Boolean> REJECT_ILLEGAL_HEADER = GROUP.add("rejectIllegalHeader", BOOLEAN, true);

    /** When a client that waits for 100 gets it. Default: when the body is first read, unlike Tomcat's. */
    public static final Setting<ContinueTiming> CONTINUE_TIMING =
            GROUP.add("continueResponseTiming", SettingType.constant(ContinueTiming.class), ContinueTiming.ON_READ);

    /** Whether the keepAliveTimeout is sent to clients that ask for keep-alive. */
    public static final Setting<Boolean> KEEP_ALIVE_HEADER = GROUP.add("useKeepAliveResponseHeader", FLAG, true);

    private Http1Options() {}

    /** All of these settings, without those that other protocols share. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    static Duration uploadTimeout(Settings settings) {
        return settings.get(settings.isSet(UPLOAD_TIMEOUT) ? UPLOAD_TIMEOUT : CONNECTION_TIMEOUT);
    }
}
