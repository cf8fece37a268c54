package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.util.List;

/** Tomcat 9's Server, Service and Engine elements, and the simple ones in them. */
final class ServerKinds {

    private static final SettingGroup SERVER = new SettingGroup();
    static final Setting<Integer> SHUTDOWN_PORT = SERVER.add("port", number(-1, 65_535), -1);
    static final Setting<Integer> PORT_OFFSET = SERVER.add("portOffset", number(0, 65_535), 0);
    static final Setting<Boolean> JMX = SERVER.add("jmx", FLAG, false);

    /** Those of the shutdown port, which is not opened. */
    private static final SettingGroup SHUTDOWN = new SettingGroup();

    static {
        SHUTDOWN.add("shutdown", TEXT, "SHUTDOWN");
        SHUTDOWN.optional("address", TEXT);
    }

    private static final SettingGroup SERVICE = new SettingGroup();
    static final Setting<String> SERVICE_NAME = SERVICE.add("name", TEXT, "Millrace");
    static final Setting<Integer> GRACEFUL_STOP_AWAIT =
            SERVICE.add("gracefulStopAwaitMillis", number(0, Integer.MAX_VALUE), 30_000);
    static final Setting<Integer> GRACEFUL_STOP_DELAY =
            SERVICE.add("gracefulStopDelayMillis", number(0, Integer.MAX_VALUE), 0);

    private static final SettingGroup ENGINE = new SettingGroup();
    static final Setting<String> ENGINE_NAME = ENGINE.add("name", TEXT, "Catalina", null);
    static final Setting<String> DEFAULT_HOST = ENGINE.add("defaultHost", TEXT, "localhost");

    private ServerKinds() {}

    static List<Element.Kind> kinds() {
        return List.of(
                new Element.Kind(
                        "Server",
                        Attribute.all(
                                Attribute.of(SERVER.settings()),
                                Attribute.of(SHUTDOWN.settings()),
                                List.of(Attribute.className("org.apache.catalina.core.StandardServer")),
                                TomcatAttributes.of("Server")),
                        "Service",
                        "Listener",
                        "GlobalNamingResources"),
                new Element.Kind(
                        "Service",
                        Attribute.all(
                                Attribute.of(SERVICE.settings()),
                                List.of(Attribute.className("org.apache.catalina.core.StandardService"))),
                        "Connector",
                        "Executor",
                        "Engine",
                        "Listener"),
                new Element.Kind(
                        "Engine",
                        Attribute.all(
                                Attribute.of(ENGINE.settings()),
                                List.of(Attribute.of(ContextOptions.JVM_ROUTE)),
                                TomcatAttributes.of("Engine")),
                        "Host",
                        "Realm",
                        "Valve",
                        "Cluster",
                        "Listener"),
                HostKind.KIND,
                new Element.Kind("Alias", List.of()));
    }
}
