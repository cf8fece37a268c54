package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.BOOLEAN;

import io.millrace.servlet.security.SingleSignOn;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.util.Set;

/** Tomcat's SingleSignOn, in Engine and Host. */
public final class SingleSignOnValve extends ValveKind {

    static final String NAME = Authenticator.PACKAGE + "SingleSignOn";

    private static final SettingType<String> COOKIE_NAME = SettingType.text(
            "a name of letters, digits, hyphens and underscores", value -> value.matches("[A-Za-z0-9_-]+"));

    private static final SettingType<String> DOMAIN = SettingType.text(
            "a domain, such as example.com", value -> value.matches("\\.?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*"));

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Boolean> REQUIRE_REAUTHENTICATION =
            GROUP.add("requireReauthentication", BOOLEAN, false);
    private static final Setting<String> COOKIE_DOMAIN = GROUP.optional("cookieDomain", DOMAIN);
    private static final Setting<String> NAME_OF_COOKIE = GROUP.add("cookieName", COOKIE_NAME, "JSESSIONIDSSO");

    SingleSignOnValve() {
        super(NAME, Attribute.of(GROUP.settings()));
    }

    @Override
    public Set<String> places() {
        return Set.of("Engine", "Host");
    }

    @Override
    void misplaced(String parent, XmlElement element, Problems problems) {
        problems.warning(
                element.line(),
                "Valve " + NAME + " is ignored: it is for all applications of an Engine or Host; move it there");
    }

    /** What its attributes say. */
    public static SingleSignOn.Options options(Element valve) {
        return new SingleSignOn.Options(
                valve.get(NAME_OF_COOKIE), valve.find(COOKIE_DOMAIN), valve.get(REQUIRE_REAUTHENTICATION));
    }
}
