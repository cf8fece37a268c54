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
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a connector says about the servlet requests that come by it, with Tomcat's names and defaults: {@code
 * Connector.builder().with(MAX_COOKIE_COUNT, 50)}. What it does not set is as the application has it: {@code
 * WebApplication.war(file).with(MAX_COOKIE_COUNT, 50)}.
 */
public final class ServletOptions {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final SettingType<Integer> COUNT_OR_NO_LIMIT = number(-1, Integer.MAX_VALUE);

    /** Bytes of a form body, and of all multipart fields together (413); -1: no limit. */
    public static final Setting<Long> MAX_POST_SIZE =
            GROUP.add("maxPostSize", largeNumber(-1, Long.MAX_VALUE), FormLimits.DEFAULT.maxPostSize());

    /** Parameters of one request, query and body together (400); -1: no limit. */
    public static final Setting<Integer> MAX_PARAMETER_COUNT =
            GROUP.add("maxParameterCount", COUNT_OR_NO_LIMIT, FormLimits.DEFAULT.maxParameterCount());

    /** Parts of one multipart body (413); -1: no limit. */
    public static final Setting<Integer> MAX_PART_COUNT =
            GROUP.add("maxPartCount", COUNT_OR_NO_LIMIT, FormLimits.DEFAULT.maxPartCount());

    /** Bytes of one part's header (413); -1: no limit. */
    public static final Setting<Integer> MAX_PART_HEADER_SIZE =
            GROUP.add("maxPartHeaderSize", COUNT_OR_NO_LIMIT, FormLimits.DEFAULT.maxPartHeaderSize());

    /** Requests with other methods have no parameters in their bodies. */
    public static final Setting<Set<String>> PARSE_BODY_METHODS = GROUP.add("parseBodyMethods", NAMES, Set.of("POST"));

    /** Decode queries as the body is, ISO 8859-1 if the request does not say how; otherwise by URIEncoding. */
    public static final Setting<Boolean> USE_BODY_ENCODING_FOR_URI = GROUP.add("useBodyEncodingForURI", FLAG, false);

    /** Cookies of one request (400); -1: no limit. */
    public static final Setting<Integer> MAX_COOKIE_COUNT = GROUP.add("maxCookieCount", COUNT_OR_NO_LIMIT, 200);

    /**
     * Bytes of a request's body that are kept while its user logs in by a form, to be served afterwards; -1: no limit; 0: none
     * are kept.
     */
    public static final Setting<Integer> MAX_SAVE_POST_SIZE = GROUP.add("maxSavePostSize", COUNT_OR_NO_LIMIT, 4096);

    /** Of asynchronous requests that set none; zero waits for ever. */
    public static final Setting<Duration> ASYNC_TIMEOUT =
            GROUP.add("asyncTimeout", MILLISECONDS, Duration.ofSeconds(30));

    /** Where https is served, for resources that ask for it; 0: nowhere, they are refused. */
    public static final Setting<Integer> REDIRECT_PORT = GROUP.add("redirectPort", PORT, 0, "443");

    /** Ask the name service for {@code getRemoteHost()}, which may take seconds; it is the address otherwise. */
    public static final Setting<Boolean> ENABLE_LOOKUPS = GROUP.add("enableLookups", FLAG, false);

    /** Answer TRACE as the servlet does, rather than by 405. */
    public static final Setting<Boolean> ALLOW_TRACE = GROUP.add("allowTrace", FLAG, false);

    /** Say so in X-Powered-By. */
    public static final Setting<Boolean> X_POWERED_BY = GROUP.add("xpoweredBy", FLAG, false);

    /** Let the kernel send large static files. */
    public static final Setting<Boolean> USE_SENDFILE = GROUP.add("useSendfile", FLAG, true);

    private ServletOptions() {}

    /** All of them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }
}
