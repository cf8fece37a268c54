package io.millrace.protocol;

import static io.millrace.settings.SettingType.CHARSET;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.countOrNoLimit;

import io.millrace.http.EncodedSlash;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** The settings that all protocols share, with Tomcat's names and defaults. */
public final class ProtocolOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The maximum number of header fields of a request (otherwise 431). */
    public static final Setting<Integer> MAX_HEADER_COUNT = GROUP.add("maxHeaderCount", countOrNoLimit(1), 100);

    /**
     * The timeout for the first bytes of a connection, for receiving a complete head (otherwise 408), and for each wait
     * for the client to receive output; zero for no timeout.
     */
    public static final Setting<Duration> CONNECTION_TIMEOUT =
            GROUP.add("connectionTimeout", MILLISECONDS, Duration.ofMinutes(1));

    /** The idle timeout between requests; zero for no timeout. Defaults to {@link #CONNECTION_TIMEOUT}. */
    public static final Setting<Duration> KEEP_ALIVE_TIMEOUT =
            GROUP.add("keepAliveTimeout", MILLISECONDS, Duration.ofMinutes(1), null);

    /** How {@code %2F} in a path is treated. */
    public static final Setting<EncodedSlash> ENCODED_SOLIDUS_HANDLING =
            GROUP.add("encodedSolidusHandling", SettingType.constant(EncodedSlash.class), EncodedSlash.REJECT);

    /**
     * The encoding of percent-encoded octets in a path. Encoded slashes, dots and control characters are recognized
     * before decoding.
     */
    public static final Setting<Charset> URI_ENCODING = GROUP.add("URIEncoding", CHARSET, StandardCharsets.UTF_8);

    private ProtocolOptions() {}

    /** All of these settings. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The idle timeout between requests: {@link #KEEP_ALIVE_TIMEOUT}, or {@link #CONNECTION_TIMEOUT} if that is not set. */
    public static Duration keepAliveTimeout(Settings settings) {
        return settings.get(settings.isSet(KEEP_ALIVE_TIMEOUT) ? KEEP_ALIVE_TIMEOUT : CONNECTION_TIMEOUT);
    }
}
