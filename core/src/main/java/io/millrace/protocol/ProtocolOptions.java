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

/** The settings that all protocols have, with Tomcat's names and defaults. */
public final class ProtocolOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** Header fields of a request (431). */
    public static final Setting<Integer> MAX_HEADER_COUNT = GROUP.add("maxHeaderCount", countOrNoLimit(1), 100);

    /** For the first bytes of a connection, for a complete head (408), and for each wait for output; zero for no timeout. */
    public static final Setting<Duration> CONNECTION_TIMEOUT =
            GROUP.add("connectionTimeout", MILLISECONDS, Duration.ofMinutes(1));

    /** The idle timeout between requests; zero for none. Unless set it is the {@link #CONNECTION_TIMEOUT}. */
    public static final Setting<Duration> KEEP_ALIVE_TIMEOUT =
            GROUP.add("keepAliveTimeout", MILLISECONDS, Duration.ofMinutes(1), null);

    /** What becomes of {@code %2F} in a path. */
    public static final Setting<EncodedSlash> ENCODED_SOLIDUS_HANDLING =
            GROUP.add("encodedSolidusHandling", SettingType.constant(EncodedSlash.class), EncodedSlash.REJECT);

    /** What escaped octets of a path are. Escaped slashes, dots and controls are recognized first. */
    public static final Setting<Charset> URI_ENCODING = GROUP.add("URIEncoding", CHARSET, StandardCharsets.UTF_8);

    private ProtocolOptions() {}

    /** All of them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** How long a connection may be idle between requests: the {@link #KEEP_ALIVE_TIMEOUT}, or the other where that is not set. */
    public static Duration keepAliveTimeout(Settings settings) {
        return settings.get(settings.isSet(KEEP_ALIVE_TIMEOUT) ? KEEP_ALIVE_TIMEOUT : CONNECTION_TIMEOUT);
    }
}
