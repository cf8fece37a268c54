package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;
import static io.millrace.standalone.config.ElementRule.valve;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tomcat's Valves, in Engine, Host and Context, that configure sessions of applications and do not handle requests. */
public final class SessionValves {

    private static final String VALVES = "org.apache.catalina.valves.";

    /** Clients that share a session. */
    public static final String CRAWLERS = VALVES + "CrawlerSessionManagerValve";

    /** Redirects clients without a session while the node is drained. */
    public static final String DRAINING = VALVES + "LoadBalancerDrainingValve";

    /** Each request reads its session in the store, and writes it. */
    public static final String PERSISTENT = VALVES + "PersistentValve";

    private static final Map<String, ElementRule> RULES = Map.of(
            CRAWLERS,
            valve(
                    works("crawlerUserAgents", PATTERN, ".*[bB]ot.*|.*Yahoo! Slurp.*|.*Feedfetcher-Google.*"),
                    works("crawlerIps", PATTERN, null),
                    works("sessionInactiveInterval", number(-1, Integer.MAX_VALUE), "60"),
                    none("contextAware", BOOLEAN, "true", "each application has sessions of its own"),
                    none("hostAware", BOOLEAN, "true", "each host has sessions of its own")),
            DRAINING,
            valve(
                    works("redirectStatusCode", number(300, 399), "307"),
                    works("ignoreCookieName", TEXT, null),
                    works("ignoreCookieValue", TEXT, null)),
            PERSISTENT,
            valve(
                    // a request that asks for no session reads none
                    moot("filter"),
                    moot("semaphoreFairness"),
                    moot("semaphoreAcquireUninterruptibly"),
                    none(
                            "semaphoreBlockOnAcquire",
                            BOOLEAN,
                            "true",
                            "requests of a session run concurrently, and the changes of each are stored")));

    private SessionValves() {}

    /** Null if it is another Valve. */
    static @Nullable ElementRule of(ConfigElement element) {
        return element.name().equals("Valve") ? RULES.get(String.valueOf(element.value("className"))) : null;
    }

    public static boolean isOne(Values valve) {
        return RULES.containsKey(valve.text("className", ""));
    }

    /** None of them restricts access. */
    static boolean isRule(ElementRule rule) {
        return RULES.containsValue(rule);
    }

    /** The last one of a class; null if there is none. */
    public static @Nullable Values last(String className, List<Values> valves) {
        return valves.stream()
                .filter(valve -> className.equals(valve.text("className")))
                .reduce((first, second) -> second)
                .orElse(null);
    }
}
