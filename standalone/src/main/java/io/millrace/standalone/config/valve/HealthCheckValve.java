package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.BOOLEAN;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;

/** Tomcat's HealthCheckValve: of the server in Engine and Host, of the application in a Context. */
public final class HealthCheckValve extends ValveKind {

    private static final SettingGroup GROUP = new SettingGroup();

    /** Where the health is served. */
    public static final Setting<String> PATH = GROUP.add(
            "path", SettingType.text("a path that begins with a slash", path -> path.startsWith("/")), "/health");

    /** Whether the server is healthy only if its applications run. */
    public static final Setting<Boolean> CHECK_CONTAINERS_AVAILABLE =
            GROUP.add("checkContainersAvailable", BOOLEAN, true);

    HealthCheckValve() {
        super(VALVES + "HealthCheckValve", Attribute.of(GROUP.settings()));
    }

    @Override
    public boolean restricts() {
        return false;
    }
}
