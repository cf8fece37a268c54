package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.works;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tomcat's RewriteValve, in Host and Context. In an Engine Tomcat reads no rules for it. */
public final class RewriteValves {

    private static final String NAME = "org.apache.catalina.valves.rewrite.RewriteValve";

    private static final ElementRule RULE = ElementRule.of(
            "Valve",
            List.of(
                    works("className", TEXT, null),
                    works("enabled", BOOLEAN, "true"),
                    works("resourcePath", TEXT, "rewrite.config"),
                    moot("asyncSupported")));

    private RewriteValves() {}

    /** Null if it is another Valve. */
    static @Nullable ElementRule of(ConfigElement element) {
        return element.name().equals("Valve") && NAME.equals(element.value("className")) ? RULE : null;
    }

    public static boolean isOne(Values valve) {
        return NAME.equals(valve.text("className"));
    }

    /** Returns whether it is a RewriteValve in an Engine, where it has no effect, and warns of it. */
    static boolean isInEngine(ConfigElement container, ConfigElement valve, Problems problems) {
        boolean ignored = container.name().equals("Engine") && of(valve) != null;
        if (ignored) {
            problems.warning(
                    valve.line(),
                    "RewriteValve in Engine has no rules, as in Tomcat, which reads them in Host and Context only; move it");
        }
        return ignored;
    }
}
