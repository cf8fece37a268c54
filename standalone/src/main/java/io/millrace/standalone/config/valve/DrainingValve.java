package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;

/** Tomcat's LoadBalancerDrainingValve: redirects clients without a session while the node is drained. */
public final class DrainingValve extends SessionValve {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Integer> STATUS = GROUP.add("redirectStatusCode", number(300, 399), 307);
    private static final Setting<String> IGNORE_COOKIE_NAME = GROUP.optional("ignoreCookieName", TEXT);
    private static final Setting<String> IGNORE_COOKIE_VALUE = GROUP.optional("ignoreCookieValue", TEXT);

    DrainingValve() {
        super(VALVES + "LoadBalancerDrainingValve", Attribute.of(GROUP.settings()));
    }

    @Override
    public void configure(Element valve, WebApplication application) {
        application.draining(
                new DrainingRule(valve.get(STATUS), valve.find(IGNORE_COOKIE_NAME), valve.find(IGNORE_COOKIE_VALUE)));
    }
}
