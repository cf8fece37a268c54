package io.millrace.standalone;

import io.millrace.io.Timers;
import io.millrace.jmx.JmxDomain;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Shows MBeans once something can read them: an agent that the JVM was started with, the JVM's own agent for remote clients, or a tool that
 * attaches to the process later. Until then it loads no class of JMX.
 */
final class JmxReaders {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** The JVM starts this thread for the first tool that attaches, such as jcmd, JConsole or the loader of an agent. */
    private static final String ATTACHED = "Attach Listener";

    private static final String REMOTE = "com.sun.management.";
    private static final String AGENT = "-javaagent:";

    private final List<JmxDomain> domains;
    private final Timers timers;

    private JmxReaders(List<JmxDomain> domains, Timers timers) {
        this.domains = domains;
        this.timers = timers;
    }

    /** Shows the domains now, or when a tool attaches; looks as long as the timers run. */
    static void watch(List<JmxDomain> domains, Timers timers) {
        new JmxReaders(domains, timers).look(hasAgent());
    }

    private void look(boolean there) {
        if (there) {
            domains.forEach(JmxDomain::show);
        } else if (!domains.stream().allMatch(JmxDomain::isShown)) {
            timers.schedule(() -> look(isAttached()), PERIOD);
        }
    }

    private static boolean isAttached() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] threads = new Thread[group.activeCount() + 16];
        int number = group.enumerate(threads);
        for (int i = 0; i < number; i++) {
            if (threads[i].getName().equals(ATTACHED)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasAgent() {
        return System.getProperties().stringPropertyNames().stream().anyMatch(name -> name.startsWith(REMOTE))
                || hasAgent(arguments(), System::getenv);
    }

    /**
     * Whether the JVM was started with a Java agent.
     *
     * @param arguments those of the process, or of the JVM
     */
    static boolean hasAgent(List<String> arguments, UnaryOperator<String> environment) {
        return arguments.stream().anyMatch(each -> each.startsWith(AGENT))
                || Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
                        .map(environment)
                        .anyMatch(options -> options != null && options.contains(AGENT));
    }

    private static List<String> arguments() {
        try {
            return List.of(new String(Files.readAllBytes(Path.of("/proc/self/cmdline")), StandardCharsets.ISO_8859_1)
                    .split("\0", -1));
        } catch (IOException notLinux) {
            return ManagementFactory.getRuntimeMXBean().getInputArguments();
        }
    }
}
