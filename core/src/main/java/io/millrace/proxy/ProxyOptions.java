package io.millrace.proxy;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.NAMES;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.oneOf;
import static io.millrace.settings.SettingType.text;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What a proxy does, and its limits. */
public final class ProxyOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** Connections to each backend, at most. */
    public static final Setting<Integer> MAX_CONNECTIONS =
            GROUP.option("maxConnections", number(1, Integer.MAX_VALUE), 200, "Connections to each backend, at most");

    /** Requests that wait for a connection to a backend, at most; one more is answered with 503. */
    public static final Setting<Integer> MAX_WAITING = GROUP.option(
            "maxWaiting",
            number(0, Integer.MAX_VALUE),
            200,
            "Requests that wait for one of them; one more is answered with 503");

    /** How long such a request waits before it is answered with 503. */
    public static final Setting<Duration> WAIT_TIMEOUT = GROUP.option(
            "waitTimeout",
            MILLISECONDS,
            Duration.ofSeconds(5),
            "How long such a request waits before it is answered with 503");

    /** From a backend's host name to the connection; 504 after that. */
    public static final Setting<Duration> CONNECT_TIMEOUT = GROUP.option(
            "connectTimeout", MILLISECONDS, Duration.ofSeconds(3), "From a backend's name to the connection; then 504");

    /** For the TLS handshake with a backend; 502 after that. */
    public static final Setting<Duration> TLS_TIMEOUT = GROUP.option(
            "tlsTimeout", MILLISECONDS, Duration.ofSeconds(5), "For the TLS handshake with a backend; then 502");

    /**
     * How long a backend may send nothing: before its response, which is answered with 504, and within it, which cuts the client's
     * response.
     */
    public static final Setting<Duration> RESPONSE_TIMEOUT = GROUP.option(
            "responseTimeout",
            MILLISECONDS,
            Duration.ofSeconds(60),
            "How long a backend may send nothing: before its response, then 504; within it, then it is cut");

    /** How long an idle connection to a backend is kept. Less than the backend keeps it: Tomcat does for 20 s. */
    public static final Setting<Duration> KEEP_ALIVE_TIMEOUT = GROUP.option(
            "keepAliveTimeout", MILLISECONDS, Duration.ofSeconds(15), "How long an idle connection is kept");

    /** How long a WebSocket through the proxy may be idle; zero: no limit. */
    public static final Setting<Duration> TUNNEL_TIMEOUT =
            GROUP.option("tunnelTimeout", MILLISECONDS, Duration.ZERO, "Idle timeout of WebSockets; 0 for none");

    /** How often a request is tried again, on another backend if there is one, where that is certain to be harmless. */
    public static final Setting<Integer> RETRIES =
            GROUP.option("retries", number(0, 100), 1, "How often a request is repeated where that is harmless");

    /**
     * What else a request is tried again for on another backend, if it is idempotent and within the budget: {@code timeout}, {@code
     * malformed}, for a response whose head is, and statuses from 400 to 599. Such a response counts as a failure of its backend.
     */
    public static final Setting<Set<String>> RETRY_ON = GROUP.option(
            "retryOn",
            NAMES.limitedTo(
                    "timeout, malformed or statuses from 400 to 599, between commas",
                    causes -> causes.stream().allMatch(RetryPolicy::isCause)),
            Set.of(),
            "What else idempotent requests are repeated for, on another backend: timeout, malformed or statuses, between commas");

    /** Whether the client's Host is forwarded. Otherwise the backend sees its own address. */
    public static final Setting<Boolean> PRESERVE_HOST = GROUP.option(
            "preserveHost", BOOLEAN, true, "Pass the client's Host on; false for the backend's own host and port");

    /** How backends learn of the client: {@code x-forwarded}, {@code forwarded} (RFC 7239), or {@code none}. */
    public static final Setting<String> FORWARDED = GROUP.option(
            "forwarded",
            oneOf("x-forwarded", "forwarded", "none"),
            "x-forwarded",
            "How backends learn of the client: x-forwarded, forwarded or none");

    /**
     * Does each connection to a backend begin with a header of the PROXY protocol: {@code v2} or {@code none}? Then it is for one
     * request, and HTTP/1.1 is spoken.
     */
    public static final Setting<String> PROXY_PROTOCOL = GROUP.option(
            "proxyProtocol",
            oneOf("v2", "none"),
            "none",
            "v2: each connection to a backend begins with a header of the PROXY protocol, and is for one request");

    /** The name in the Via field of requests and responses (RFC 9110, 7.6.3); empty for no such field. */
    public static final Setting<String> VIA =
            GROUP.option("via", TEXT, "", "The name in the field Via; no such field if empty");

    /**
     * The cookie, and path parameter in lower case, whose value ends in a dot and the route of the backend that has the session;
     * empty for none.
     */
    public static final Setting<String> STICKY = GROUP.option(
            "sticky",
            TEXT,
            "",
            "Keep the sessions of this cookie, JSESSIONID for example, with the backend of their route");

    /**
     * The path that each backend is asked for its health by GET, on a connection of its own; a status of 2xx or 3xx within the interval is
     * healthy. Empty for no such checks.
     */
    public static final Setting<String> HEALTH_PATH = GROUP.option(
            "healthPath",
            text("a path that begins with a slash, or nothing", ProxyOptions::isPathOrEmpty),
            "",
            "Path of health checks; none if empty");

    /** How long after a health check the next one begins, and how long it may take. */
    public static final Setting<Duration> HEALTH_INTERVAL = GROUP.option(
            "healthInterval",
            MILLISECONDS.limitedTo("a number from 1 up", time -> time.toMillis() > 0),
            Duration.ofSeconds(5),
            "From one health check to the next, and for each of them");

    /** After how many failed health checks in a row a backend gets no more requests. */
    public static final Setting<Integer> HEALTH_FALL = GROUP.option(
            "healthFall", number(1, 1000), 3, "Failed checks in a row after which a backend gets no requests");

    /** After how many successful ones in a row it gets requests again. */
    public static final Setting<Integer> HEALTH_RISE =
            GROUP.option("healthRise", number(1, 1000), 2, "Successful ones after which it gets requests again");

    /** How long a backend that comes back gets less than its share of the requests: from a tenth of it to the whole; zero, not at all. */
    public static final Setting<Duration> SLOW_START = GROUP.option(
            "slowStart",
            MILLISECONDS,
            Duration.ofSeconds(10),
            "In which the share of a backend that comes back grows to the whole");

    private ProxyOptions() {}

    private static boolean isPathOrEmpty(String path) {
        return path.isEmpty() || path.startsWith("/") && path.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#');
    }

    /** All of them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }
}
