package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tomcat's CrawlerSessionManagerValve, in Engine, Host and Context: it says how sessions begin, and is no handler. */
public final class CrawlerValves {

    private static final String NAME = "org.apache.catalina.valves.CrawlerSessionManagerValve";

    static final ElementRule RULE = ElementRule.of(
            "Valve",
            List.of(
                    works("className", TEXT, null),
                    works("crawlerUserAgents", PATTERN, ".*[bB]ot.*|.*Yahoo! Slurp.*|.*Feedfetcher-Google.*"),
                    works("crawlerIps", PATTERN, null),
                    works("sessionInactiveInterval", number(-1, Integer.MAX_VALUE), "60"),
                    none("contextAware", BOOLEAN, "true", "each application has sessions of its own"),
                    none("hostAware", BOOLEAN, "true", "each host has sessions of its own"),
                    moot("asyncSupported")));

    private CrawlerValves() {}

    /** Null if it is another Valve. */
    static @Nullable ElementRule of(ConfigElement element) {
        return element.name().equals("Valve") && NAME.equals(element.value("className")) ? RULE : null;
    }

    public static boolean isOne(Values valve) {
        return NAME.equals(valve.text("className"));
    }
}
