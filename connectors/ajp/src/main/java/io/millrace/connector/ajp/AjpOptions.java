package io.millrace.connector.ajp;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Whom an AJP connector believes, and its limits, with Tomcat's names and defaults; those of {@link ProtocolOptions} hold as
 * well, but without a connectionTimeout that was set it waits for ever, as Tomcat's.
 */
public final class AjpOptions {

    /** What AJP was made with; both ends must agree on more. */
    static final int LEAST_PACKET = 8192;

    static final int LARGEST_PACKET = 65_536;

    private static final SettingGroup GROUP = new SettingGroup();

    /** What each request must bring, or it is answered by 403; ISO 8859-1. Empty: there is none. */
    public static final Setting<String> SECRET = GROUP.add("secret", TEXT, "");

    /** The old name of the {@link #SECRET}, for server.xml. */
    static final Setting<String> REQUIRED_SECRET = GROUP.add("requiredSecret", TEXT, "");

    /** Whether {@link AjpProtocol} insists on a secret. */
    public static final Setting<Boolean> SECRET_REQUIRED = GROUP.add("secretRequired", BOOLEAN, true);

    /**
     * The names, as a whole, of attributes that the front end may set; others are answered by 403, as all are by default.
     * Those that servlets and containers exchange among themselves ({@code javax.servlet.…}) stay forbidden.
     */
    public static final Setting<Pattern> ALLOWED_REQUEST_ATTRIBUTES =
            GROUP.add("allowedRequestAttributesPattern", PATTERN, Pattern.compile("(?!)"), null);

    /** Whether only the application logs users in. False: whom the front end names is logged in. */
    public static final Setting<Boolean> TOMCAT_AUTHENTICATION = GROUP.add("tomcatAuthentication", BOOLEAN, true);

    /** Whether the front end logs users in and the application's realm knows their roles. */
    public static final Setting<Boolean> TOMCAT_AUTHORIZATION = GROUP.add("tomcatAuthorization", BOOLEAN, false);

    /** Octets of the largest packet, both ways. The front end must be set to the same. Tomcat takes the nearest that AJP has. */
    public static final Setting<Integer> PACKET_SIZE = GROUP.add(
            "packetSize",
            number(LEAST_PACKET, LARGEST_PACKET)
                    .readFrom(
                            number(1, Integer.MAX_VALUE),
                            size -> Math.min(LARGEST_PACKET, Math.max(LEAST_PACKET, size))),
            LEAST_PACKET);

    /** Whether the front end is told to pass on at once what is sent before the response's end. */
    public static final Setting<Boolean> AJP_FLUSH = GROUP.add("ajpFlush", BOOLEAN, true);

    private AjpOptions() {}

    /** All of them; those of {@link ProtocolOptions} are not among them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The secret; empty if there is none. */
    static String secret(Settings settings) {
        String secret = settings.get(SECRET);
        return secret.isEmpty() ? settings.get(REQUIRED_SECRET) : secret;
    }

    /** For the first packet, and for each wait for input or output; zero waits for ever. */
    static Duration connectionTimeout(Settings settings) {
        return settings.isSet(ProtocolOptions.CONNECTION_TIMEOUT)
                ? settings.get(ProtocolOptions.CONNECTION_TIMEOUT)
                : Duration.ZERO;
    }

    /** Between requests. */
    static Duration keepAliveTimeout(Settings settings) {
        return settings.isSet(ProtocolOptions.KEEP_ALIVE_TIMEOUT)
                ? settings.get(ProtocolOptions.KEEP_ALIVE_TIMEOUT)
                : connectionTimeout(settings);
    }
}
