package io.millrace.standalone.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's SecurityListener: refuses to start the server as one of certain users, or with a umask that gives others access to new
 * files.
 *
 * @param user the user of this process
 * @param umask of this process, in octal; null if it is unknown
 */
record SecurityListener(
        ConfigElement listener,
        Problems problems,
        String user,
        @Nullable String umask) {

    private static final String USERS = "root";
    private static final String MASK = "0007";

    /** Set by Tomcat's start scripts, for systems without /proc. */
    private static final String PROPERTY = "org.apache.catalina.security.SecurityListener.UMASK";

    static SecurityListener ofProcess(ConfigElement listener, Problems problems) {
        return new SecurityListener(listener, problems, System.getProperty("user.name", ""), umaskOfProcess());
    }

    private static @Nullable String umaskOfProcess() {
        String property = System.getProperty(PROPERTY);
        if (property != null) {
            return property;
        }
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("Umask:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(null);
        } catch (IOException noProc) {
            return null;
        }
    }

    /** Reports what would keep Tomcat from starting. */
    void check() {
        String refused = text("checkedOsUsers", USERS);
        if (Stream.of(refused.split(",", -1))
                .anyMatch(each -> each.strip().toLowerCase(Locale.ROOT).equals(user.toLowerCase(Locale.ROOT)))) {
            problems.error(
                    listener.line(),
                    "SecurityListener: the user " + user + " must not start the server (checkedOsUsers=\"" + refused
                            + "\"); start it as another user");
        }
        String minimum = text("minimumUmask", MASK);
        if (!minimum.isBlank()) {
            checkMask(minimum.strip());
        }
    }

    private void checkMask(String minimum) {
        int expected = octal(minimum);
        if (expected < 0) {
            problems.error(
                    listener.line(), "minimumUmask=\"" + minimum + "\" on Listener: expected octal digits, as in 0007");
            return;
        }
        int found = umask == null ? -1 : octal(umask);
        if ((found & expected) != expected || found < 0) {
            problems.error(
                    listener.line(),
                    "SecurityListener: the umask is "
                            + (found < 0 ? "not known (set it with -D" + PROPERTY + ")" : umask)
                            + ", expected at least " + minimum
                            + "; set it before the start, as by UMASK in bin/setenv.sh");
        }
    }

    /** Negative if it is not octal. */
    private static int octal(String digits) {
        try {
            return Integer.parseInt(digits, 8);
        } catch (NumberFormatException notOctal) {
            return -1;
        }
    }

    private String text(String name, String byDefault) {
        String value = listener.value(name);
        return value == null ? byDefault : value;
    }
}
