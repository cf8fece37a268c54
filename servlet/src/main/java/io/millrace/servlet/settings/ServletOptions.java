package io.millrace.servlet.settings;

import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.NAMES;
import static io.millrace.settings.SettingType.PORT;
import static io.millrace.settings.SettingType.largeNumber;
import static io.millrace.settings.SettingType.number;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The settings of a connector's servlet requests, with Tomcat's names and defaults:
 * {@code Connector.builder().with(MAX_COOKIE_COUNT, 50)}. Unless the connector sets a value, that of the application applies:
 * {@code WebApplication.war(file).with(MAX_COOKIE_COUNT, 50)}.
 */
public final class ServletOptions {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final SettingType<Integer> COUNT_OR_NO_LIMIT = number(-1, Integer.MAX_VALUE);

    /** Largest size of a form body, or of all fields of a multipart body together, in bytes (413); -1: no limit. */
    public static final Setting<Long> MAX_POST_SIZE =
            GROUP.add("maxPostSize", largeNumber(-1, Long.MAX_VALUE), FormLimits.DEFAULT.maxPostSize());

    /** Largest number of parameters of a request, query and body together (400); -1: no limit. */
    public static final Setting<Integer> MAX_PARAMETER_COUNT =
            GROUP.add("maxParameterCount", COUNT_OR_NO_LIMIT, FormLimits.DEFAULT.maxParameterCount());

    /** Largest number of parts of a multipart body (413); -1: no limit. */
    public static final Setting<Integer> MAX_PART_COUNT =
            GROUP.add("maxPartCount", COUNT_OR_NO_LIMIT, FormLimits.DEFAULT.maxPartCount());

    /** Largest size of the header of a part, in bytes (413); -1: no limit. */
    public static final Setting<Integer> MAX_PART_HEADER_SIZE =
            GROUP.add("maxPartHeaderSize", COUNT_OR_NO_LIMIT, FormLimits.DEFAULT.maxPartHeaderSize());

    /** The methods whose form bodies are parsed for parameters. */
    public static final Setting<Set<String>> PARSE_BODY_METHODS = GROUP.add("parseBodyMethods", NAMES, Set.of("POST"));

    /** Decodes the query string in the encoding of the body, ISO-8859-1 if the request names none, instead of in URIEncoding. */
    public static final Setting<Boolean> USE_BODY_ENCODING_FOR_URI = GROUP.add("useBodyEncodingForURI", FLAG, false);

    /** Largest number of cookies of a request (400); -1: no limit. */
    public static final Setting<Integer> MAX_COOKIE_COUNT = GROUP.add("maxCookieCount", COUNT_OR_NO_LIMIT, 200);

    /**
     * Largest body, in bytes, of a request that is saved during a FORM login and served after it (403); -1: no limit; 0: requests
     * are saved without their bodies.
     */
    public static final Setting<Integer> MAX_SAVE_POST_SIZE = GROUP.add("maxSavePostSize", COUNT_OR_NO_LIMIT, 4096);

    /** The timeout of asynchronous requests that set none; zero: no timeout. */
    public static final Setting<Duration> ASYNC_TIMEOUT =
            GROUP.add("asyncTimeout", MILLISECONDS, Duration.ofSeconds(30));

    /** The https port to which requests for resources with a transport guarantee are redirected; 0: they are refused (403). */
    public static final Setting<Integer> REDIRECT_PORT = GROUP.add("redirectPort", PORT, 0, "443");

    /** Resolves the client's address for {@code getRemoteHost()}, which may take seconds; otherwise it returns the address. */
    public static final Setting<Boolean> ENABLE_LOOKUPS = GROUP.add("enableLookups", FLAG, false);

    /** Passes TRACE requests to servlets, instead of answering 405. */
    public static final Setting<Boolean> ALLOW_TRACE = GROUP.add("allowTrace", FLAG, false);

    /** Adds the field X-Powered-By to responses. */
    public static final Setting<Boolean> X_POWERED_BY = GROUP.add("xpoweredBy", FLAG, false);

    /** Sends large static files by the kernel (sendfile), where the transport supports it. */
    public static final Setting<Boolean> USE_SENDFILE = GROUP.add("useSendfile", FLAG, true);

    private ServletOptions() {}

    /** All settings of this class. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The limits of parameters and parts. */
    public static FormLimits formLimits(Settings settings) {
        return new FormLimits(
                settings.get(MAX_PARAMETER_COUNT),
                settings.get(MAX_POST_SIZE),
                settings.get(MAX_PART_COUNT),
                settings.get(MAX_PART_HEADER_SIZE));
    }
}
