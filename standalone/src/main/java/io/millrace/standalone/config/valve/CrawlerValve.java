package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.number;

import io.millrace.servlet.session.CrawlerRule;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.util.regex.Pattern;

/** Tomcat's CrawlerSessionManagerValve: clients that share a session. */
public final class CrawlerValve extends SessionValve {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Pattern> USER_AGENTS = GROUP.add(
            "crawlerUserAgents", PATTERN, Pattern.compile(".*[bB]ot.*|.*Yahoo! Slurp.*|.*Feedfetcher-Google.*"));
    private static final Setting<Pattern> ADDRESSES = GROUP.optional("crawlerIps", PATTERN);
    private static final Setting<Integer> INACTIVE_INTERVAL =
            GROUP.add("sessionInactiveInterval", number(-1, Integer.MAX_VALUE), 60);

    CrawlerValve() {
        super(
                VALVES + "CrawlerSessionManagerValve",
                Attribute.of(GROUP.settings()),
                TomcatAttributes.of("CrawlerSessionManagerValve"));
    }

    @Override
    public SessionSettings sessions(Element valve, SessionSettings sessions) {
        return sessions.with(
                new CrawlerRule(valve.get(USER_AGENTS), valve.find(ADDRESSES), valve.get(INACTIVE_INTERVAL)));
    }
}
