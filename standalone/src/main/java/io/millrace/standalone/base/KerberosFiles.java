package io.millrace.standalone.base;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** conf/jaas.conf and conf/krb5.ini: where Tomcat looks for both unless system properties name other files. */
final class KerberosFiles {

    private static final Map<String, String> PROPERTIES =
            Map.of("conf/jaas.conf", "java.security.auth.login.config", "conf/krb5.ini", "java.security.krb5.conf");

    private KerberosFiles() {}

    /** For the whole process; to be called after catalina.properties, and before anybody logs in. */
    static void install(Path base) {
        PROPERTIES.forEach((name, property) -> {
            Path file = base.resolve(name);
            if (System.getProperty(property) == null && Files.exists(file)) {
                System.setProperty(property, file.toString());
            }
        });
    }

    /** A line for each that is there. */
    static List<String> describe(Path base) {
        List<String> lines = new ArrayList<>();
        PROPERTIES.forEach((name, property) -> {
            Path file = base.resolve(name);
            if (Files.exists(file)) {
                boolean used = file.toString().equals(System.getProperty(property));
                lines.add(name + ": " + (used ? "used" : "ignored: " + property + " names another file"));
            }
        });
        lines.sort(null);
        return lines;
    }
}
