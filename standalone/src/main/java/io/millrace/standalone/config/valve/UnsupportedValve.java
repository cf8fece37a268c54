package io.millrace.standalone.config.valve;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.text.EditDistance;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Valve that is not implemented. Only those that do not restrict access are ignored; all others are errors, custom classes
 * included.
 */
public final class UnsupportedValve extends Element.Kind {

    private static final String CLUSTER = "org.apache.catalina.ha.";

    /** By class, why ignoring it admits no client that Tomcat would refuse. */
    private static final Map<String, String> IGNORED = ignored();

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

    /** Any Valve whose class is not one of {@link Valves}. */
    public UnsupportedValve() {
        super("Valve");
    }

    private static Map<String, String> ignored() {
        Map<String, String> reasons = new HashMap<>();
        reasons.put(
                ValveKind.VALVES + "ProxyErrorReportValve",
                "error pages are not fetched from URLs; set files by errorCode.N on an ErrorReportValve");
        reasons.put(
                ValveKind.VALVES + "JDBCAccessLogValve",
                "access logs are not written to databases; use AccessLogValve or JsonAccessLogValve");
        String noCluster = "sessions are not replicated";
        reasons.put(CLUSTER + "tcp.ReplicationValve", noCluster);
        reasons.put(CLUSTER + "session.JvmRouteBinderValve", noCluster);
        return Map.copyOf(reasons);
    }

    /** Returns why it is ignored; null if it must not be. */
    private static @Nullable String ignored(String type) {
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

    @Override
    public boolean isIn(String parent, XmlElement element, Problems problems) {
        String type = element.value("className");
        if (type == null) {
            problems.error(element.line(), "Valve has no className");
        } else if (ignored(type) == null) {
            refuse(element.line(), type, problems);
        } else {
            problems.warning(element.line(), "Valve " + type + " is ignored: " + ignored(type));
        }
        return false;
    }

    /** Reports a Valve of a Cluster, which is ignored as a whole, if it must not be. */
    public static void checkInCluster(Element valve, Problems problems) {
        String type = String.valueOf(valve.written("className"));
        if (ignored(type) == null && !SingleSignOnValve.is(type)) {
            refuse(valve.line(), type, problems);
        }
    }

    private static void refuse(int line, String type, Problems problems) {
        problems.error(
                line,
                "Valve " + type
                        + ": it is not supported, and it may restrict access; "
                        + suggestion(type)
                        + "write it as a Filter in the application's web.xml, or as an HttpHandler of an embedded server, and"
                        + " remove it");
    }

    /** The supported class that was probably meant, with a misspelt name or another package; empty if there is none. */
    private static String suggestion(String type) {
        String name = type.substring(type.lastIndexOf('.') + 1);
        return Valves.KINDS.stream()
                .filter(kind -> EditDistance.of(name, kind.simpleName()) <= 2)
                .min(Comparator.comparingInt(kind -> EditDistance.of(name, kind.simpleName())))
                .map(kind -> "if " + kind.className() + " was meant, correct its name, otherwise ")
                .orElse("");
    }
}
