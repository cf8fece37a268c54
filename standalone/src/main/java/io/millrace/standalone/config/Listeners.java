package io.millrace.standalone.config;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.IgnoredKind;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tomcat's Listener elements: ignored, but for the SecurityListener and what asks for FIPS algorithms. */
public final class Listeners extends Element.Kind {

    /** Listeners of Tomcat's default server.xml that work around problems of Tomcat or of old JDKs; ignored without a warning. */
    private static final Set<String> MOOT = Set.of(
            "VersionLoggerListener",
            "AprLifecycleListener",
            "OpenSSLLifecycleListener",
            "TLSCertificateReloadListener",
            "JasperListener",
            "JreMemoryLeakPreventionListener",
            "GlobalResourcesLifecycleListener",
            "ThreadLocalLeakPreventionListener");

    /** Listeners of hazelcast, mod_cluster and the like. */
    private static final Pattern REPLICATION =
            Pattern.compile("(com\\.hazelcast|org\\.jboss\\.modcluster|org\\.redisson|org\\.apache\\.ignite)\\..*");

    Listeners() {
        super("Listener");
    }

    @Override
    public void check(Element listener, String parent, Problems problems) {
        String type = String.valueOf(listener.written("className"));
        String fips = listener.written("FIPSMode");
        if (fips != null && !fips.strip().equalsIgnoreCase("off")) {
            problems.error(
                    listener.line(),
                    "FIPSMode=\"" + fips
                            + "\" on Listener: it is not enforced here; configure a JDK or an OpenSSL that has"
                            + " only FIPS algorithms, and remove the attribute");
        } else if (type.equals("org.apache.catalina.security.SecurityListener")) {
            SecurityListener.ofProcess(listener, problems).check();
        } else if (REPLICATION.matcher(type).matches()) {
            IgnoredKind.report(
                    listener,
                    " " + type,
                    "its class is not loaded, so sessions are not shared with other servers, and no balancer learns of this"
                            + " one: use a PersistentManager with a Store in a database, and sticky sessions (jvmRoute)",
                    problems);
        } else if (!MOOT.contains(type.substring(type.lastIndexOf('.') + 1))) {
            IgnoredKind.report(
                    listener,
                    " " + type,
                    "its class is not loaded; use a ServletContextListener of an application instead",
                    problems);
        }
    }

    /**
     * Tomcat's SecurityListener: refuses to start the server as one of certain users, or with a umask that gives others access to new
     * files.
     *
     * @param user the user of this process
     * @param umask of this process, in octal; null if it is unknown
     */
    record SecurityListener(
            Element listener,
            Problems problems,
            String user,
            @Nullable String umask) {

        private static final String USERS = "root";
        private static final String MASK = "0007";

        /** Set by Tomcat's start scripts, for systems without /proc. */
        private static final String PROPERTY = "org.apache.catalina.security.SecurityListener.UMASK";

        static SecurityListener ofProcess(Element listener, Problems problems) {
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
                        listener.line(),
                        "minimumUmask=\"" + minimum + "\" on Listener: expected octal digits, as in 0007");
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
            String value = listener.written(name);
            return value == null ? byDefault : value;
        }
    }
}
