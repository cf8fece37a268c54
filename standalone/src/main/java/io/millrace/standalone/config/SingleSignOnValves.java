package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.settings.SettingType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tomcat's SingleSignOn, in Engine and Host. */
public final class SingleSignOnValves {

    static final String NAME = "org.apache.catalina.authenticator.SingleSignOn";

    private static final SettingType<?> COOKIE_NAME = SettingType.text(
            "a name of letters, digits, hyphens and underscores", value -> value.matches("[A-Za-z0-9_-]+"));

    private static final SettingType<?> DOMAIN = SettingType.text(
            "a domain, such as example.com", value -> value.matches("\\.?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*"));

    private static final ElementRule RULE = ElementRule.of(
            "Valve",
            List.of(
                    works("className", TEXT, null),
                    works("requireReauthentication", BOOLEAN, "false"),
                    works("cookieDomain", DOMAIN, null),
                    works("cookieName", COOKIE_NAME, "JSESSIONIDSSO"),
                    moot("asyncSupported")));

    private SingleSignOnValves() {}

    /** Null if it is another Valve. */
    static @Nullable ElementRule of(ConfigElement element) {
        return element.name().equals("Valve") && NAME.equals(element.value("className")) ? RULE : null;
    }

    public static boolean isOne(Values valve) {
        return NAME.equals(valve.text("className"));
    }
}
