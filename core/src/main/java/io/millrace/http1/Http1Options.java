package io.millrace.http1;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.NAMES;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.largeNumber;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.numberOrNoLimit;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The limits and leniencies of HTTP/1.1, with Tomcat's names and defaults; those of {@link io.millrace.protocol.ProtocolOptions}
 * hold as well. Each limit is named in the log line that says it was exceeded.
 */
public final class Http1Options {

    private static final SettingGroup GROUP = new SettingGroup();

    private static final String RELAXABLE = "\"<>[\\]^`{|}";

    /** Smaller heads than the protocol has use for are as good as the smallest. */
    private static final SettingType<Integer> HEAD_SIZE =
            number(64, Integer.MAX_VALUE).readFrom(number(1, Integer.MAX_VALUE), size -> Math.max(64, size));

    private static final SettingType<Integer> SIZE = number(0, Integer.MAX_VALUE)
            .readFrom(number(-1, Integer.MAX_VALUE), size -> size < 0 ? Integer.MAX_VALUE : size);

    /** What a URI may not contain; server.xml may write other characters, which are left out. */
    private static final SettingType<String> RELAXED_CHARS = SettingType.text(
                    "only characters of " + RELAXABLE, text -> text.chars().allMatch(c -> RELAXABLE.indexOf(c) >= 0))
            .readFrom(TEXT, Http1Options::relaxable)
            .remarking(text -> relaxable(text).equals(text)
                    ? null
                    : "allows only \" < > [ \\ ] ^ ` { | }; the other characters in it are ignored, as in Tomcat");

    /**
     * Bytes of request line and header fields together (431, or 414 if the request line alone is longer); in server.xml it is
     * maxHttpHeaderSize unless set.
     */
    public static final Setting<Integer> MAX_REQUEST_HEADER_SIZE =
            GROUP.add("maxHttpRequestHeaderSize", HEAD_SIZE, 8192, null);

    /** Bytes of a response's head, status line and fields; a larger one is replaced by status 500. */
    public static final Setting<Integer> MAX_RESPONSE_HEADER_SIZE =
            GROUP.add("maxHttpResponseHeaderSize", HEAD_SIZE, 8192, null);

    /** Bytes of trailer fields (400). */
    public static final Setting<Integer> MAX_TRAILER_SIZE = GROUP.add("maxTrailerSize", SIZE, 8192);

    /** Bytes of chunk extensions in one body (400). */
    public static final Setting<Integer> MAX_EXTENSION_SIZE = GROUP.add("maxExtensionSize", SIZE, 8192);

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
     * Octets a second that a request's body has to come at, on average over the time it is waited for; whoever is slower for
     * longer than the {@linkplain #MIN_UPLOAD_RATE_GRACE grace} is answered with 408. -1: any rate. Not in Tomcat. Without
     * effect where {@link #UPLOAD_TIMEOUT} is zero.
     */
    public static final Setting<Integer> MIN_UPLOAD_RATE = GROUP.add("minUploadRate", numberOrNoLimit(1), 240);

    /**
     * How long a client may fall behind {@link #MIN_UPLOAD_RATE} altogether; at least the {@link #UPLOAD_TIMEOUT}, so that no
     * single wait which that allows is cut short.
     */
    public static final Setting<Duration> MIN_UPLOAD_RATE_GRACE =
            GROUP.add("minUploadRateGrace", MILLISECONDS, Duration.ofSeconds(30));

    /** Characters that a path may hold although RFC 3986 forbids it; of {@code "<>[\]^`{|}}. */
    public static final Setting<String> RELAXED_PATH_CHARS = GROUP.add("relaxedPathChars", RELAXED_CHARS, "");

    /** The same for the query. */
    public static final Setting<String> RELAXED_QUERY_CHARS = GROUP.add("relaxedQueryChars", RELAXED_CHARS, "");

    /** Let an absolute-form target name another host than Host does (else 400). */
    public static final Setting<Boolean> ALLOW_HOST_HEADER_MISMATCH = GROUP.add("allowHostHeaderMismatch", FLAG, false);

    /**
     * Whether a field with an illegal name or value is refused (400) rather than left out. Even if false a field that would
     * say how the request is framed, or where it goes, is refused: a proxy may have read it.
     */
    public static final Setting<Boolean> REJECT_ILLEGAL_HEADER = GROUP.add("rejectIllegalHeader", BOOLEAN, true);

    /**
     * May a client end its output while its request waits, asynchronously, and still get the response, as Tomcat and Jetty
     * allow? False: such a client counts as gone, and whoever works for it is told at once; most clients that close a
     * connection can't be told from one that only ends its output.
     */
    public static final Setting<Boolean> ALLOW_HALF_CLOSE = GROUP.add("allowHalfClose", FLAG, true);

    /** What stands for all names. */
    private static final String ALL = "*";

    /** The trailer fields that are kept, by name; {@code *}, unlike in server.xml the default, for all: no field of the head is touched by them. */
    public static final Setting<Set<String>> ALLOWED_TRAILER_HEADERS =
            GROUP.add("allowedTrailerHeaders", NAMES, Set.of(ALL), "");

    /** When a client that waits for 100 gets it; unlike Tomcat's, when the body is first read. */
    public static final Setting<ContinueTiming> CONTINUE_TIMING =
            GROUP.add("continueResponseTiming", SettingType.constant(ContinueTiming.class), ContinueTiming.ON_READ);

    /** Whether a client that asked for keep-alive is told the keepAliveTimeout. */
    public static final Setting<Boolean> KEEP_ALIVE_HEADER = GROUP.add("useKeepAliveResponseHeader", FLAG, true);

    /** The Server field of each response, whatever applications say; empty for theirs, or none. */
    public static final Setting<String> SERVER = GROUP.add("server", TEXT, "");

    private Http1Options() {}

    /** All of them; those of {@link io.millrace.protocol.ProtocolOptions} are not among them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    static Duration uploadTimeout(Settings settings) {
        return settings.get(settings.isSet(UPLOAD_TIMEOUT) ? UPLOAD_TIMEOUT : CONNECTION_TIMEOUT);
    }

    static boolean keepsAllTrailers(Settings settings) {
        return settings.get(ALLOWED_TRAILER_HEADERS).contains(ALL);
    }

    private static String relaxable(String text) {
        StringBuilder relaxable = new StringBuilder();
        text.chars().filter(c -> RELAXABLE.indexOf(c) >= 0).forEach(c -> relaxable.append((char) c));
        return relaxable.toString();
    }
}
