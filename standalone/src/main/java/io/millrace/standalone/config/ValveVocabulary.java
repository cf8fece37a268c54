package io.millrace.standalone.config;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Valves that are not implemented. Only those that do not restrict access are ignored; all others are errors, custom classes
 * included.
 */
final class ValveVocabulary {

    private static final String VALVES = "org.apache.catalina.valves.";
    private static final String CLUSTER = "org.apache.catalina.ha.";

    /** By class, why ignoring it admits no client that Tomcat would refuse. */
    private static final Map<String, String> IGNORED = ignored();

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
        return IGNORED.get(type);
    }

    /** Reports a Valve that is not supported, with advice. */
    static void refuse(ConfigElement valve, Problems problems) {
        String type = String.valueOf(valve.value("className"));
        problems.error(
                valve.line(),
                "Valve " + type
                        + ": it is not supported, and it may restrict access; write it as a Filter in the"
                        + " application's web.xml, or as an HttpHandler of an embedded server, and remove it");
    }
}
