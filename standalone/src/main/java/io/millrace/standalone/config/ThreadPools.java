package io.millrace.standalone.config;

import io.millrace.io.VirtualThreads;

/** Which threads an Executor or a Connector asks for, and whether this Java has them. */
final class ThreadPools {

    static final String STANDARD = "org.apache.catalina.core.StandardThreadExecutor";

    private static final String VIRTUAL = "org.apache.catalina.core.StandardVirtualThreadExecutor";

    private ThreadPools() {}

    static boolean isVirtual(Values executor) {
        return executor.text("className", STANDARD).equals(VIRTUAL);
    }

    static void checkExecutor(Values executor, Problems problems) {
        String type = executor.text("className", STANDARD);
        if (isVirtual(executor)) {
            requireVirtual(executor, "className", problems);
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

    private static void requireVirtual(Values values, String attribute, Problems problems) {
        if (!VirtualThreads.areAvailable()) {
            problems.error(
                    values.line(attribute),
                    attribute + "=\"" + values.text(attribute)
                            + "\": virtual threads need Java 21 or later, this is Java "
                            + Runtime.version().feature() + "; leave it out, or run a later Java");
        }
    }
}
