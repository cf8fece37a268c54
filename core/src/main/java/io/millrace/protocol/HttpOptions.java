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

/** The limits and compatibility settings that the HTTP versions share, with Tomcat's names and defaults. */
public final class HttpOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    private static final String RELAXABLE = "\"<>[\\]^`{|}";

    /** Values below the minimum count as the minimum. */
    private static final SettingType<Integer> HEAD_SIZE =
            number(64, Integer.MAX_VALUE).readFrom(number(1, Integer.MAX_VALUE), size -> Math.max(64, size));

    /** Characters that a URI must not contain by RFC 3986; other characters in server.xml are ignored. */
    private static final SettingType<String> RELAXED_CHARS = SettingType.text(
                    "only characters of " + RELAXABLE, text -> text.chars().allMatch(c -> RELAXABLE.indexOf(c) >= 0))
            .readFrom(TEXT, HttpOptions::relaxable)
            .remarking(text -> relaxable(text).equals(text)
                    ? null
                    : "allows only \" < > [ \\ ] ^ ` { | }; the other characters in it are ignored, as in Tomcat");

    /**
     * The maximum size of request line and header fields together, in bytes. A larger request is rejected with 431, or
     * with 414 if its request line alone is larger. In server.xml it defaults to maxHttpHeaderSize.
     */
    public static final Setting<Integer> MAX_REQUEST_HEADER_SIZE =
            GROUP.add("maxHttpRequestHeaderSize", HEAD_SIZE, 8192, null);

    /** The maximum size of a response's head, in bytes; a response with a larger one is replaced by a 500 response. */
    public static final Setting<Integer> MAX_RESPONSE_HEADER_SIZE =
            GROUP.add("maxHttpResponseHeaderSize", HEAD_SIZE, 8192, null);

    /** The maximum size of trailer fields, in bytes (otherwise 400). */
    public static final Setting<Integer> MAX_TRAILER_SIZE = GROUP.add("maxTrailerSize", countOrNoLimit(0), 8192);

    /** Characters that a path may contain although RFC 3986 forbids them; of {@code "<>[\]^`{|}}. */
    public static final Setting<String> RELAXED_PATH_CHARS = GROUP.add("relaxedPathChars", RELAXED_CHARS, "");

    /** Characters that a query may contain although RFC 3986 forbids them; of {@code "<>[\]^`{|}}. */
    public static final Setting<String> RELAXED_QUERY_CHARS = GROUP.add("relaxedQueryChars", RELAXED_CHARS, "");

    /** Whether a target in absolute form may name another host than the Host field (otherwise 400). */
    public static final Setting<Boolean> ALLOW_HOST_HEADER_MISMATCH = GROUP.add("allowHostHeaderMismatch", FLAG, false);

    /**
     * Whether a client may half-close its connection while its request is processed asynchronously and still receive the
     * response, as Tomcat and Jetty allow. If false, such a client counts as disconnected, and the application is
     * notified immediately; a server cannot distinguish most clients that close a connection from those that half-close
     * it.
     */
    public static final Setting<Boolean> ALLOW_HALF_CLOSE = GROUP.add("allowHalfClose", FLAG, true);

    /**
     * The minimum average rate of a request's body, in bytes per second, over the time that the server waits for it. A
     * client that falls behind by more than the {@linkplain #MIN_UPLOAD_RATE_GRACE grace period} gets a 408 response.
     * -1: no minimum. Not in Tomcat. Ignored if reading a body has no timeout, and on HTTP/2 and SPDY streams once the
     * response has begun, since those may be dialogues. For responses: {@link
     * io.millrace.io.TransportOptions#MIN_DOWNLOAD_RATE}.
     */
    public static final Setting<Integer> MIN_UPLOAD_RATE = GROUP.add("minUploadRate", numberOrNoLimit(1), 240);

    /**
     * How far a client may fall behind {@link #MIN_UPLOAD_RATE} in total; at least the timeout of a single read, so that
     * no wait which that timeout allows is cut short.
     */
    public static final Setting<Duration> MIN_UPLOAD_RATE_GRACE =
            GROUP.add("minUploadRateGrace", MILLISECONDS, Duration.ofSeconds(30));

    /** Matches all names. */
    private static final String ALL = "*";

    /**
     * The names of the trailer fields that are kept; {@code *} for all, which is the default, unlike in server.xml.
     * Trailer fields never replace fields of the head.
     */
    public static final Setting<Set<String>> ALLOWED_TRAILER_HEADERS =
            GROUP.add("allowedTrailerHeaders", NAMES, Set.of(ALL), "");

    /** The value of the Server field of each response, which replaces the application's; empty to leave that as it is. */
    public static final Setting<String> SERVER = GROUP.add("server", TEXT, "");

    private HttpOptions() {}

    /** All of these settings. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** Whether a trailer field of this name is kept. An application may trust it like a field of the head. */
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
