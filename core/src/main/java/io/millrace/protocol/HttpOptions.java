package io.millrace.protocol;

import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.NAMES;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.countOrNoLimit;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.numberOrNoLimit;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The limits and leniencies that the versions of HTTP share, with Tomcat's names and defaults. */
public final class HttpOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    private static final String RELAXABLE = "\"<>[\\]^`{|}";

    /** Smaller heads than the protocol has use for are as good as the smallest. */
    private static final SettingType<Integer> HEAD_SIZE =
            number(64, Integer.MAX_VALUE).readFrom(number(1, Integer.MAX_VALUE), size -> Math.max(64, size));

    /** What a URI may not contain; server.xml may write other characters, which are left out. */
    private static final SettingType<String> RELAXED_CHARS = SettingType.text(
                    "only characters of " + RELAXABLE, text -> text.chars().allMatch(c -> RELAXABLE.indexOf(c) >= 0))
            .readFrom(TEXT, HttpOptions::relaxable)
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
    public static final Setting<Integer> MAX_TRAILER_SIZE = GROUP.add("maxTrailerSize", countOrNoLimit(0), 8192);

    /** Characters that a path may hold although RFC 3986 forbids it; of {@code "<>[\]^`{|}}. */
    public static final Setting<String> RELAXED_PATH_CHARS = GROUP.add("relaxedPathChars", RELAXED_CHARS, "");

    /** The same for the query. */
    public static final Setting<String> RELAXED_QUERY_CHARS = GROUP.add("relaxedQueryChars", RELAXED_CHARS, "");

    /** Let an absolute-form target name another host than Host does (else 400). */
    public static final Setting<Boolean> ALLOW_HOST_HEADER_MISMATCH = GROUP.add("allowHostHeaderMismatch", FLAG, false);

    /**
     * May a client end its output while its request waits, asynchronously, and still get the response, as Tomcat and Jetty
     * allow? False: such a client counts as gone, and whoever works for it is told at once; most clients that close a
     * connection can't be told from one that only ends its output.
     */
    public static final Setting<Boolean> ALLOW_HALF_CLOSE = GROUP.add("allowHalfClose", FLAG, true);

    /**
     * Octets a second that a request's body has to come at, on average over the time it is waited for; whoever is slower for
     * longer than the {@linkplain #MIN_UPLOAD_RATE_GRACE grace} is answered with 408. -1: any rate. Not in Tomcat. Without
     * effect where waits for bodies have no timeout, and on streams once the response has begun: those are conversations.
     */
    public static final Setting<Integer> MIN_UPLOAD_RATE = GROUP.add("minUploadRate", numberOrNoLimit(1), 240);

    /**
     * How long a client may fall behind {@link #MIN_UPLOAD_RATE} altogether; at least the timeout of waits for bodies, so that no
     * single wait which that allows is cut short.
     */
    public static final Setting<Duration> MIN_UPLOAD_RATE_GRACE =
            GROUP.add("minUploadRateGrace", MILLISECONDS, Duration.ofSeconds(30));

    /** What stands for all names. */
    private static final String ALL = "*";

    /** The trailer fields that are kept, by name; {@code *}, unlike in server.xml the default, for all: no field of the head is touched by them. */
    public static final Setting<Set<String>> ALLOWED_TRAILER_HEADERS =
            GROUP.add("allowedTrailerHeaders", NAMES, Set.of(ALL), "");

    /** The Server field of each response, whatever applications say; empty for theirs, or none. */
    public static final Setting<String> SERVER = GROUP.add("server", TEXT, "");

    private HttpOptions() {}

    /** All of them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** Is a trailer field of this name kept? An application may trust it like a field of the head. */
    public static boolean keepsTrailer(Settings settings, String name) {
        Set<String> names = settings.get(ALLOWED_TRAILER_HEADERS);
        return names.contains(ALL) || names.stream().anyMatch(name::equalsIgnoreCase);
    }

    private static String relaxable(String text) {
        StringBuilder relaxable = new StringBuilder();
        text.chars().filter(c -> RELAXABLE.indexOf(c) >= 0).forEach(c -> relaxable.append((char) c));
        return relaxable.toString();
    }
}
