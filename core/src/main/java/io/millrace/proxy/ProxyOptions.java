package io.millrace.proxy;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.NAMES;
import static io.millrace.settings.SettingType.POSITIVE_MILLISECONDS;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.oneOf;
import static io.millrace.settings.SettingType.text;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The settings of a proxy. */
public final class ProxyOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The maximum number of connections to each backend. */
    public static final Setting<Integer> MAX_CONNECTIONS =
            GROUP.option("maxConnections", number(1, Integer.MAX_VALUE), 200, "Connections to each backend, at most");

    /** The maximum number of requests that wait for a connection to a backend; further ones get a 503 response. */
    public static final Setting<Integer> MAX_WAITING = GROUP.option(
            "maxWaiting",
            number(0, Integer.MAX_VALUE),
            200,
            "Requests that wait for one of them; one more is answered with 503");

    /**
     * The percentage that one client may have of those connections to a backend that other clients leave; 100 for no limit. Its further
     * requests wait.
     */
    public static final Setting<Integer> CLIENT_SHARE = GROUP.option(
            "clientShare",
            number(1, 100),
            50,
            "Percentage that one client may have of the connections that others leave; 100 for no limit");

    /** How long such a request waits before it gets a 503 response. */
    public static final Setting<Duration> WAIT_TIMEOUT = GROUP.option(
            "waitTimeout",
            MILLISECONDS,
            Duration.ofSeconds(5),
            "How long such a request waits before it is answered with 503");

    /** The timeout for connecting to a backend, including name resolution; then the response is 504. */
    public static final Setting<Duration> CONNECT_TIMEOUT = GROUP.option(
            "connectTimeout", MILLISECONDS, Duration.ofSeconds(3), "From a backend's name to the connection; then 504");

    /** The timeout of the TLS handshake with a backend; then the response is 502. */
    public static final Setting<Duration> TLS_TIMEOUT = GROUP.option(
            "tlsTimeout", MILLISECONDS, Duration.ofSeconds(5), "For the TLS handshake with a backend; then 502");

    /**
     * How long a backend may send nothing: before its response, then the client gets a 504 response; or within it, then
     * the client's response is aborted.
     */
    public static final Setting<Duration> RESPONSE_TIMEOUT = GROUP.option(
            "responseTimeout",
            MILLISECONDS,
            Duration.ofSeconds(60),
            "How long a backend may send nothing: before its response, then 504; within it, then it is cut");

    /**
     * How many bytes of a response are read from the backend before the client has received them: a response that fits frees its
     * connection to the backend, however slow its client is. 0 for one buffer of 16 KiB, the one that is being written.
     */
    public static final Setting<Integer> RESPONSE_BUFFER = GROUP.option(
            "responseBuffer",
            number(0, 16 * 1024 * 1024),
            64 * 1024,
            "Bytes of a response that are read before the client has received them");

    /**
     * How long an idle connection to a backend is kept. Must be less than the backend's timeout, which is 20 s with
     * Tomcat's server.xml.
     */
    public static final Setting<Duration> KEEP_ALIVE_TIMEOUT = GROUP.option(
            "keepAliveTimeout", MILLISECONDS, Duration.ofSeconds(15), "How long an idle connection is kept");

    /**
     * From when on a connection to a backend is replaced at the end of a request, less up to a quarter; zero for no limit. A busy proxy would otherwise never
     * resolve the name of a backend again that has moved.
     */
    public static final Setting<Duration> MAX_CONNECTION_AGE = GROUP.option(
            "maxConnectionAge",
            MILLISECONDS,
            Duration.ofMinutes(1),
            "When a connection is replaced, and the backend's name resolved again; 0 for never");

    /** The idle timeout of a WebSocket through the proxy; zero for none. */
    public static final Setting<Duration> TUNNEL_TIMEOUT =
            GROUP.option("tunnelTimeout", MILLISECONDS, Duration.ZERO, "Idle timeout of WebSockets; 0 for none");

    /** How often a request is retried, on another backend if there is one, if it certainly was not processed. */
    public static final Setting<Integer> RETRIES =
            GROUP.option("retries", number(0, 100), 1, "How often a request is repeated where that is harmless");

    /**
     * Further reasons to retry an idempotent request on another backend, within the budget: {@code timeout}, {@code
     * malformed} (a malformed response head), and statuses from 400 to 599. Such a response counts as a failure of its
     * backend.
     */
    public static final Setting<Set<String>> RETRY_ON = GROUP.option(
            "retryOn",
            NAMES.limitedTo(
                    "timeout, malformed or statuses from 400 to 599, between commas",
                    causes -> causes.stream().allMatch(RetryPolicy::isCause)),
            Set.of(),
            "What else idempotent requests are repeated for, on another backend: timeout, malformed or statuses, between commas");

    /** Whether the client's Host field is forwarded. Otherwise the backend's own address is sent. */
    public static final Setting<Boolean> PRESERVE_HOST = GROUP.option(
            "preserveHost", BOOLEAN, true, "Pass the client's Host on; false for the backend's own host and port");

    /**
     * How the client's address is reported to backends: {@code x-forwarded}, {@code forwarded} (RFC 7239), or {@code
     * none}.
     */
    public static final Setting<String> FORWARDED = GROUP.option(
            "forwarded",
            oneOf("x-forwarded", "forwarded", "none"),
            "x-forwarded",
            "How backends learn of the client: x-forwarded, forwarded or none");

    /**
     * Whether request headers are dropped whose names have other characters than ASCII letters, digits and {@code -}. Some backends
     * treat such characters as {@code -} or {@code _}, and so take a client's header for one that only a front end may set.
     */
    public static final Setting<Boolean> DROP_UNUSUAL_HEADERS = GROUP.option(
            "dropUnusualHeaders",
            BOOLEAN,
            true,
            "Drop request headers whose names have other characters than letters, digits and -");

    /**
     * Further request headers that are dropped because backends must get them from a front end only, in any spelling: those that
     * the backends' RemoteIpValve or SSLValve is configured to read, for example.
     */
    public static final Setting<Set<String>> FRONT_END_HEADERS = GROUP.option(
            "frontEndHeaders",
            NAMES,
            Set.of(),
            "Further request headers that only front ends may set, between commas; clients' are dropped");

    /**
     * Whether each connection to a backend begins with a PROXY protocol header: {@code v2} or {@code none}. With {@code
     * v2}, a connection carries one request, over HTTP/1.1.
     */
    public static final Setting<String> PROXY_PROTOCOL = GROUP.option(
            "proxyProtocol",
            oneOf("v2", "none"),
            "none",
            "v2: each connection to a backend begins with a header of the PROXY protocol, and is for one request");

    /** The name in the Via field of requests and responses (RFC 9110, 7.6.3); empty to omit the field. */
    public static final Setting<String> VIA =
            GROUP.option("via", TEXT, "", "The name in the field Via; no such field if empty");

    /**
     * The name of the session cookie, and, in lower case, of the path parameter, whose value ends with a dot and the
     * route of the session's backend; empty for none.
     */
    public static final Setting<String> STICKY = GROUP.option(
            "sticky",
            TEXT,
            "",
            "Keep the sessions of this cookie, JSESSIONID for example, with the backend of their route");

    /**
     * The path of health checks, which are GET requests on a connection of their own; a status of 2xx or 3xx within the
     * interval means healthy. Empty for no health checks.
     */
    public static final Setting<String> HEALTH_PATH = GROUP.option(
            "healthPath",
            text("a path that begins with a slash, or nothing", ProxyOptions::isPathOrEmpty),
            "",
            "Path of health checks; none if empty");

    /** The pause between health checks, and the timeout of each. */
    public static final Setting<Duration> HEALTH_INTERVAL = GROUP.option(
            "healthInterval",
            POSITIVE_MILLISECONDS,
            Duration.ofSeconds(5),
            "From one health check to the next, and for each of them");

    /** The number of consecutive failed health checks after which a backend gets no requests. */
    public static final Setting<Integer> HEALTH_FALL = GROUP.option(
            "healthFall", number(1, 1000), 3, "Failed checks in a row after which a backend gets no requests");

    /** The number of consecutive successful health checks after which it gets requests again. */
    public static final Setting<Integer> HEALTH_RISE =
            GROUP.option("healthRise", number(1, 1000), 2, "Successful ones after which it gets requests again");

    /** How long the share of a backend that has become available again grows, from a tenth to the whole; zero disables it. */
    public static final Setting<Duration> SLOW_START = GROUP.option(
            "slowStart",
            MILLISECONDS,
            Duration.ofSeconds(10),
            "In which the share of a backend that comes back grows to the whole");

    private ProxyOptions() {}

    private static boolean isPathOrEmpty(String path) {
        return path.isEmpty() || path.startsWith("/") && path.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#');
    }

    /** All of these settings. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }
}
