package io.millrace.standalone.config;

import io.millrace.io.VirtualThreads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads of an Executor or a Connector, and whether this JVM supports them. */
final class ThreadPools {

    static final String STANDARD = "org.apache.catalina.core.StandardThreadExecutor";

    /** A Connector's attributes for its own threads. */
    private static final List<String> OF_CONNECTOR =
            List.of("useVirtualThreads", "maxThreads", "minSpareThreads", "threadsMaxIdleTime", "maxQueueSize");

    /** An Executor's attributes for its threads. */
    private static final List<String> OF_EXECUTOR =
            List.of("maxThreads", "minSpareThreads", "maxIdleTime", "maxQueueSize");

    private static final String UNLIMITED =
            "virtual threads are created on demand; maxConnections limits concurrent connections";

    private static final String VIRTUAL = "org.apache.catalina.core.StandardVirtualThreadExecutor";

    private ThreadPools() {}

    static boolean isVirtual(Values executor) {
        return executor.text("className", STANDARD).equals(VIRTUAL);
    }

    static void checkExecutor(Values executor, Problems problems) {
        String type = executor.text("className", STANDARD);
        if (isVirtual(executor)) {
            requireVirtual(executor, "className", problems);
            OF_EXECUTOR.stream()
                    .filter(executor::isSet)
                    .forEach(name -> withoutEffect(executor, name, "Executor", UNLIMITED, problems));
        } else if (!type.equals(STANDARD)) {
            problems.warning(
                    executor.line("className"),
                    "className=\"" + type
                            + "\" on Executor: that class is not loaded, the server's own pool is used; expected "
                            + STANDARD + " or " + VIRTUAL);
        }
    }

    static void checkConnector(Values connector, Problems problems) {
        if (connector.flag("useVirtualThreads")) {
            requireVirtual(connector, "useVirtualThreads", problems);
        }
    }

    /** Warns of thread limits without effect. */
    static void checkEffect(Values connector, @Nullable Values executor, String transport, Problems problems) {
        checkLoop(connector, transport, problems);
        for (String name : OF_CONNECTOR) {
            String why = connector.isSet(name) ? reason(name, connector, executor, transport) : null;
            if (why != null) {
                withoutEffect(connector, name, "Connector", why, problems);
            }
        }
    }

    private static void withoutEffect(Values values, String name, String element, String why, Problems problems) {
        problems.warning(values.line(name), name + " on " + element + " is ignored: " + why);
    }

    private static void checkLoop(Values connector, String transport, Problems problems) {
        if (connector.isSet("loop") && !transport.equals("nio")) {
            withoutEffect(
                    connector, "loop", "Connector", "only the transport nio has event loops to choose from", problems);
        }
    }

    private static @Nullable String reason(String name, Values connector, @Nullable Values executor, String transport) {
        if (executor != null) {
            return "the Executor named by executor determines it";
        }
        if (name.equals("useVirtualThreads")) {
            return null;
        }
        boolean isBio = transport.equals("bio");
        if (isBio ? hasVirtual(connector) : connector.flag("useVirtualThreads")) {
            return UNLIMITED
                    + (isBio && !connector.isSet("useVirtualThreads")
                            ? "; set useVirtualThreads=\"false\" to limit threads"
                            : "");
        }
        return isBio && !name.equals("maxThreads")
                ? "bio keeps no idle threads; connections wait for one of maxThreads threads"
                : null;
    }

    /** Connections of bio have virtual threads by default, if the JVM supports them. */
    private static boolean hasVirtual(Values connector) {
        return connector.isSet("useVirtualThreads")
                ? connector.flag("useVirtualThreads")
                : VirtualThreads.areAvailable();
    }

    private static void requireVirtual(Values values, String attribute, Problems problems) {
        if (!VirtualThreads.areAvailable()) {
            problems.error(
                    values.line(attribute),
                    attribute + "=\"" + values.text(attribute)
                            + "\": virtual threads need Java 21 or later, this is Java "
                            + Runtime.version().feature() + "; remove it, or run a later Java");
        }
    }
}
