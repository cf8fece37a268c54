package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;
import static io.millrace.standalone.config.ElementRule.valve;

import io.millrace.forwarded.CertificateFields;
import io.millrace.forwarded.RemoteIp;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Valves of Engine, Host and Context that have a handler each. */
public final class HandlerValves {

    private static final String VALVES = "org.apache.catalina.valves.";

    public static final String SEMAPHORE = VALVES + "SemaphoreValve";

    public static final String STUCK_THREADS = VALVES + "StuckThreadDetectionValve";

    /** With an attribute of our own, {@code trusted}: Tomcat's trusts every client. */
    public static final String SSL = VALVES + "SSLValve";

    private static final SettingType<?> REFUSED_STATUS = SettingType.text(
            "-1, or a number from 400 to 599", value -> value.strip().matches("-1|0|[45]\\d\\d"));

    private static final Map<String, ElementRule> RULES = Map.of(
            SEMAPHORE,
            valve(
                    works("concurrency", number(1, Integer.MAX_VALUE), "10"),
                    works("block", BOOLEAN, "true"),
                    works("highConcurrencyStatus", REFUSED_STATUS, "-1"),
                    moot("fairness"),
                    none(
                            "interruptible",
                            BOOLEAN,
                            "false",
                            "waiting requests hold no thread that could be interrupted")),
            STUCK_THREADS,
            valve(
                    works("threshold", number(Integer.MIN_VALUE, Integer.MAX_VALUE), "600"),
                    works("interruptThreadThreshold", number(Integer.MIN_VALUE, Integer.MAX_VALUE), "-1")),
            SSL,
            valve(AttributeRule.of(CertificateFields.all()).toArray(AttributeRule[]::new)));

    private static final List<Setting<String>> REMOTE_IP_HEADERS = List.of(
            RemoteIp.REMOTE_IP_HEADER,
            RemoteIp.PROXIES_HEADER,
            RemoteIp.PROTOCOL_HEADER,
            RemoteIp.HOST_HEADER,
            RemoteIp.PORT_HEADER);

    private static final List<Setting<String>> SSL_HEADERS = List.of(
            CertificateFields.CERTIFICATE,
            CertificateFields.ESCAPED_CERTIFICATE,
            CertificateFields.CIPHER_SUITE,
            CertificateFields.SESSION_ID,
            CertificateFields.KEY_SIZE);

    private HandlerValves() {}

    /** Null if it is another Valve. */
    static @Nullable ElementRule of(ConfigElement element) {
        ElementRule rule = FrontEndVocabulary.relay(element);
        rule = rule == null ? AddressValves.of(element) : rule;
        rule = rule == null ? RewriteValves.of(element) : rule;
        rule = rule == null ? ErrorReportValves.of(element) : rule;
        boolean other = rule == null && element.name().equals("Valve");
        return other ? RULES.get(String.valueOf(element.value("className"))) : rule;
    }

    /** Whether it only observes, so that a mistake in it admits no client. */
    static boolean isOpen(ElementRule rule) {
        return rule.equals(RULES.get(STUCK_THREADS));
    }

    /** The headers that the RemoteIpValves and SSLValves of an Engine or Host take from front ends. */
    static List<String> frontEndHeaders(ConfigElement container) {
        List<String> names = new ArrayList<>();
        for (ConfigElement child : container.children("Valve")) {
            ElementRule rule = of(child);
            if (rule == null) {
                continue;
            }
            if (rule.equals(FrontEndVocabulary.REMOTE_IP)) {
                Settings settings = new Values(child, rule).settings();
                REMOTE_IP_HEADERS.forEach(name -> names.add(settings.get(name)));
            } else if (rule.equals(RULES.get(SSL))) {
                Settings settings = new Values(child, rule).settings();
                SSL_HEADERS.forEach(name -> names.add(settings.get(name)));
            }
        }
        names.removeIf(String::isEmpty);
        return names;
    }

    /** Reports invalid combinations of attributes. */
    static void check(Values valve, Problems problems) {
        if (AddressValves.isOne(valve)) {
            AddressValves.check(valve, problems);
        } else if (FrontEndVocabulary.isRelay(valve)) {
            FrontEndVocabulary.checkTrust(valve, problems);
        } else if (ErrorReportValves.isOne(valve)) {
            ErrorReportValves.check(valve, problems);
        } else if (SSL.equals(valve.text("className"))
                && valve.settings().get(CertificateFields.TRUSTED).isEmpty()) {
            problems.error(
                    valve.line(),
                    "SSLValve: no front end is trusted to send certificates of clients, and any client could send the"
                            + " field; list the front ends' addresses, as in trusted=\"10.0.0.5\"");
        }
    }
}
