package io.millrace.standalone.config.connector;

import static io.millrace.io.TransportOptions.LOOP;
import static io.millrace.io.TransportOptions.MAX_THREADS;
import static io.millrace.io.TransportOptions.THREADS;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.io.TransportOptions.Threads;
import io.millrace.io.VirtualThreads;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads of an Executor or a Connector, and whether this JVM supports them. */
public final class ThreadPools {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final SettingType<Integer> AT_LEAST_ONE = number(1, Integer.MAX_VALUE);

    /** Idle threads that are kept. */
    public static final Setting<Integer> MIN_SPARE_THREADS =
            GROUP.add("minSpareThreads", number(0, Integer.MAX_VALUE), 10);

    /** Milliseconds after which an idle thread beyond those ends. */
    public static final Setting<Integer> THREADS_MAX_IDLE_TIME = GROUP.add("threadsMaxIdleTime", AT_LEAST_ONE, 60_000);

    /** Requests that wait for a thread. */
    public static final Setting<Integer> MAX_QUEUE_SIZE =
            GROUP.add("maxQueueSize", number(0, Integer.MAX_VALUE), Integer.MAX_VALUE);

    /** Those of a Connector, besides {@link io.millrace.io.TransportOptions#MAX_THREADS}. */
    static final List<Setting<?>> SETTINGS = GROUP.settings();

    private static final SettingGroup EXECUTOR = new SettingGroup();

    /** The name of an Executor. */
    public static final Setting<String> NAME = EXECUTOR.optional("name", TEXT);

    /** Begins the names of an Executor's threads. */
    public static final Setting<String> NAME_PREFIX = EXECUTOR.add("namePrefix", TEXT, "tomcat-exec-");

    private static final String STANDARD = "org.apache.catalina.core.StandardThreadExecutor";
    private static final String VIRTUAL = "org.apache.catalina.core.StandardVirtualThreadExecutor";
    private static final Setting<String> CLASS_NAME = EXECUTOR.add("className", TEXT, STANDARD);

    private static final String MAX_IDLE_TIME = "maxIdleTime";

    /** A Connector's attributes for its own threads. */
    private static final List<Setting<?>> OF_CONNECTOR =
            List.of(THREADS, MAX_THREADS, MIN_SPARE_THREADS, THREADS_MAX_IDLE_TIME, MAX_QUEUE_SIZE);

    /** An Executor's attributes for its threads. */
    private static final List<String> OF_EXECUTOR =
            List.of(MAX_THREADS.name(), MIN_SPARE_THREADS.name(), MAX_IDLE_TIME, MAX_QUEUE_SIZE.name());

    private static final String UNLIMITED =
            "virtual threads are created on demand; maxConnections limits concurrent connections";

    private ThreadPools() {}

    /** The kind of Executors. */
    public static Element.Kind executor() {
        return new Element.Kind(
                "Executor",
                Attribute.all(
                        Attribute.of(EXECUTOR.settings()),
                        List.of(
                                Attribute.of(MAX_THREADS),
                                Attribute.of(MIN_SPARE_THREADS, "25"),
                                Attribute.sets(
                                        MAX_IDLE_TIME,
                                        AT_LEAST_ONE,
                                        "60000",
                                        (settings, time, executor) -> settings.with(THREADS_MAX_IDLE_TIME, time)),
                                Attribute.of(MAX_QUEUE_SIZE)),
                        TomcatAttributes.of("Executor")));
    }

    /** Whether each request runs on a virtual thread of an Executor. */
    public static boolean isVirtual(Element executor) {
        return executor.get(CLASS_NAME).equals(VIRTUAL);
    }

    /** Reports a class that is not loaded, and limits without effect. */
    public static void checkExecutor(Element executor, Problems problems) {
        String type = executor.get(CLASS_NAME);
        if (isVirtual(executor)) {
            requireVirtual(executor, CLASS_NAME, problems);
            OF_EXECUTOR.stream()
                    .filter(executor::isSet)
                    .forEach(name -> withoutEffect(executor, name, UNLIMITED, problems));
        } else if (!type.equals(STANDARD)) {
            problems.warning(
                    executor.line(CLASS_NAME),
                    "className=\"" + type
                            + "\" on Executor: that class is not loaded, the server's own pool is used; expected "
                            + STANDARD + " or " + VIRTUAL);
        }
    }

    static void checkConnector(Element connector, Problems problems) {
        if (connector.get(THREADS) == Threads.VIRTUAL) {
            requireVirtual(connector, THREADS, problems);
        }
    }

    /** Warns of thread limits without effect. */
    public static void checkEffect(Element connector, @Nullable Element executor, String transport, Problems problems) {
        if (connector.isSet(LOOP) && !transport.equals("nio")) {
            withoutEffect(connector, LOOP.name(), "only the transport nio has event loops to choose from", problems);
        }
        for (Setting<?> setting : OF_CONNECTOR) {
            String why = connector.isSet(setting) ? reason(setting, connector, executor, transport) : null;
            if (why != null) {
                withoutEffect(connector, setting.name(), why, problems);
            }
        }
    }

    private static void withoutEffect(Element element, String name, String why, Problems problems) {
        problems.warning(element.line(name), name + " on " + element.name() + " is ignored: " + why);
    }

    private static @Nullable String reason(
            Setting<?> setting, Element connector, @Nullable Element executor, String transport) {
        if (executor != null) {
            return "the Executor named by executor determines it";
        }
        if (setting.equals(THREADS)) {
            return null;
        }
        boolean isBio = transport.equals("bio");
        if (isBio ? hasVirtual(connector) : connector.get(THREADS) == Threads.VIRTUAL) {
            return UNLIMITED
                    + (isBio && !connector.isSet(THREADS) ? "; set useVirtualThreads=\"false\" to limit threads" : "");
        }
        return isBio && !setting.equals(MAX_THREADS)
                ? "bio keeps no idle threads; connections wait for one of maxThreads threads"
                : null;
    }

    /** Connections of bio have virtual threads by default, if the JVM supports them. */
    private static boolean hasVirtual(Element connector) {
        return connector.isSet(THREADS) ? connector.get(THREADS) == Threads.VIRTUAL : VirtualThreads.areAvailable();
    }

    private static void requireVirtual(Element element, Setting<?> setting, Problems problems) {
        if (!VirtualThreads.areAvailable()) {
            problems.error(
                    element.line(setting),
                    setting + "=\"" + element.shown(setting.name())
                            + "\": virtual threads need Java 21 or later, this is Java "
                            + Runtime.version().feature() + "; remove it, or run a later Java");
        }
    }
}
