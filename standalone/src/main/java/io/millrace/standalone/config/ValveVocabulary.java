package io.millrace.standalone.config;

import io.millrace.text.EditDistance;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Valves that are not implemented. Only those that do not restrict access are ignored; all others are errors, custom classes
 * included.
 */
final class ValveVocabulary {

    private static final String VALVES = "org.apache.catalina.valves.";
    private static final String AUTHENTICATORS = "org.apache.catalina.authenticator.";
    private static final String CLUSTER = "org.apache.catalina.ha.";

    /** By class, why ignoring it admits no client that Tomcat would refuse. */
    private static final Map<String, String> IGNORED = ignored();

    /** The Valves that work in server.xml or in a Context, for suggestions. */
    private static final List<String> SUPPORTED = List.of(
            VALVES + "AccessLogValve",
            VALVES + "CrawlerSessionManagerValve",
            VALVES + "ErrorReportValve",
            VALVES + "ExtendedAccessLogValve",
            VALVES + "HealthCheckValve",
            VALVES + "JsonAccessLogValve",
            VALVES + "JsonErrorReportValve",
            VALVES + "LoadBalancerDrainingValve",
            VALVES + "PersistentValve",
            VALVES + "RemoteAddrValve",
            VALVES + "RemoteCIDRValve",
            VALVES + "RemoteHostValve",
            VALVES + "RemoteIpValve",
            VALVES + "SSLValve",
            VALVES + "SemaphoreValve",
            VALVES + "StuckThreadDetectionValve",
            VALVES + "rewrite.RewriteValve",
            AUTHENTICATORS + "BasicAuthenticator",
            AUTHENTICATORS + "DigestAuthenticator",
            AUTHENTICATORS + "FormAuthenticator",
            AUTHENTICATORS + "NonLoginAuthenticator",
            AUTHENTICATORS + "SSLAuthenticator",
            AUTHENTICATORS + "SpnegoAuthenticator",
            SingleSignOnValves.NAME);

    /** Classes outside of Tomcat that only write access logs: logback's, Cloud Foundry's, and those that say so by their name. */
    private static final Pattern WRITES_LOG = Pattern.compile(
            "(?!org\\.apache\\.catalina\\.).*\\.(\\w*AccessLog(ging)?Valve|LogbackValve|\\w*AccessLoggingValve)");

    /**
     * Classes outside of Tomcat that only store sessions when a request ends: those that belong to Managers and Stores of Redis and the
     * like, under the names of their many copies.
     */
    private static final Pattern STORES_SESSIONS = Pattern.compile(".*\\.redis\\w*\\.\\w*SessionHandlerValve"
            + "|com\\.gopivotal\\.manager\\.SessionFlushValve"
            + "|com\\.jeedsoft\\.tomcat\\.session\\.FastStoreSessionValve"
            + "|org\\.apache\\.catalina\\.session\\.ispn\\.StickySessionFailOverRewriteValve");

    private ValveVocabulary() {}

    private static Map<String, String> ignored() {
        Map<String, String> reasons = new HashMap<>();
        reasons.put(SingleSignOnValves.NAME, "it is for all applications of an Engine or Host; move it there");
        reasons.put(
                CLUSTER + "authenticator.ClusterSingleSignOn",
                "users log in to each application separately; use " + SingleSignOnValves.NAME
                        + " for the applications of one server");
        reasons.put(
                VALVES + "ProxyErrorReportValve",
                "error pages are not fetched from URLs; set files by errorCode.N on an ErrorReportValve");
        reasons.put(
                VALVES + "JDBCAccessLogValve",
                "access logs are not written to databases; use AccessLogValve or JsonAccessLogValve");
        String noCluster = "sessions are not replicated";
        reasons.put(CLUSTER + "tcp.ReplicationValve", noCluster);
        reasons.put(CLUSTER + "session.JvmRouteBinderValve", noCluster);
        return Map.copyOf(reasons);
    }

    /** Returns why it is ignored; null if it must not be. */
    static @Nullable String ignored(String type) {
        String known = IGNORED.get(type);
        if (STORES_SESSIONS.matcher(type).matches()) {
            return "its class is not loaded, so sessions are not shared with other servers; use a PersistentManager with a Store in a"
                    + " database, and sticky sessions (jvmRoute)";
        }
        return known == null && WRITES_LOG.matcher(type).matches()
                ? "its class is not loaded, so it writes no log; use AccessLogValve, JsonAccessLogValve (for standard output"
                        + " with directory=\"/dev\" prefix=\"stdout\" suffix=\"\" rotatable=\"false\") or ExtendedAccessLogValve"
                : known;
    }

    /** Reports a Valve that is not supported, with advice. */
    static void refuse(ConfigElement valve, Problems problems) {
        String type = String.valueOf(valve.value("className"));
        problems.error(
                valve.line(),
                "Valve " + type
                        + ": it is not supported, and it may restrict access; "
                        + suggestion(type)
                        + "write it as a Filter in the application's web.xml, or as an HttpHandler of an embedded server, and"
                        + " remove it");
    }

    /** The supported class that was probably meant, with a misspelt name or another package; empty if there is none. */
    private static String suggestion(String type) {
        String name = simpleName(type);
        return SUPPORTED.stream()
                .filter(supported -> EditDistance.of(name, simpleName(supported)) <= 2)
                .min(Comparator.comparingInt(supported -> EditDistance.of(name, simpleName(supported))))
                .map(supported -> "if " + supported + " was meant, correct its name, otherwise ")
                .orElse("");
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
