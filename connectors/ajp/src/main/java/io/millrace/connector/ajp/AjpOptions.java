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
 * Settings of an AJP connector, with Tomcat's names and defaults. Those of {@link ProtocolOptions} apply too, except that there is
 * no connectionTimeout unless it is set, as in Tomcat.
 */
public final class AjpOptions {

    /** The packet size of AJP; both ends must be configured for a larger one. */
    static final int MIN_PACKET = 8192;

    static final int MAX_PACKET = 65_536;

    private static final SettingGroup GROUP = new SettingGroup();

    /** The secret that each request must contain, or the response is 403; ISO-8859-1. Empty: there is none. */
    public static final Setting<String> SECRET = GROUP.add("secret", TEXT, "");

    /** The old name of the {@link #SECRET}, for server.xml. */
    static final Setting<String> REQUIRED_SECRET = GROUP.add("requiredSecret", TEXT, "");

    /** Without a secret, a connector or client is not created. */
    public static final Setting<Boolean> SECRET_REQUIRED = GROUP.add("secretRequired", BOOLEAN, true);

    /**
     * Matches the names of the request attributes that the front end may set. A request with any other attribute is answered with
     * 403, except for those of AJP itself; by default none is permitted. Attributes that containers use internally ({@code
     * javax.servlet.…}) are always forbidden.
     */
    public static final Setting<Pattern> ALLOWED_REQUEST_ATTRIBUTES =
            GROUP.add("allowedRequestAttributesPattern", PATTERN, Pattern.compile("(?!)"), null);

    /** True: only the application authenticates users. False: the user whom the front end names is authenticated. */
    public static final Setting<Boolean> TOMCAT_AUTHENTICATION = GROUP.add("tomcatAuthentication", BOOLEAN, true);

    /** True: the front end authenticates users, and the application's realm has their roles. */
    public static final Setting<Boolean> TOMCAT_AUTHORIZATION = GROUP.add("tomcatAuthorization", BOOLEAN, false);

    /** Largest packet in both directions, in bytes; the front end must have the same. server.xml may have any number, as in Tomcat. */
    public static final Setting<Integer> PACKET_SIZE = GROUP.add(
            "packetSize",
            number(MIN_PACKET, MAX_PACKET)
                    .readFrom(number(1, Integer.MAX_VALUE), size -> Math.min(MAX_PACKET, Math.max(MIN_PACKET, size))),
            MIN_PACKET);

    /** Sends a flush packet after each piece of a response except the last, so that the front end passes it on at once. */
    public static final Setting<Boolean> AJP_FLUSH = GROUP.add("ajpFlush", BOOLEAN, true);

    private AjpOptions() {}

    /** All settings of this class, without those of {@link ProtocolOptions}. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The secret; empty if there is none. */
    static String secret(Settings settings) {
        String secret = settings.get(SECRET);
        return secret.isEmpty() ? settings.get(REQUIRED_SECRET) : secret;
    }

    /** The timeout of the first packet, and of each wait for input or output; zero: none. */
    static Duration connectionTimeout(Settings settings) {
        return settings.isSet(ProtocolOptions.CONNECTION_TIMEOUT)
                ? settings.get(ProtocolOptions.CONNECTION_TIMEOUT)
                : Duration.ZERO;
    }

    /** The timeout between requests; zero: none. */
    static Duration keepAliveTimeout(Settings settings) {
        return settings.isSet(ProtocolOptions.KEEP_ALIVE_TIMEOUT)
                ? settings.get(ProtocolOptions.KEEP_ALIVE_TIMEOUT)
                : connectionTimeout(settings);
    }
}
