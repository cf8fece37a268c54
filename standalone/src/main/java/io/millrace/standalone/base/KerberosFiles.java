package io.millrace.standalone.base;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** conf/jaas.conf and conf/krb5.ini, Tomcat's default files, which system properties override. */
final class KerberosFiles {

    private static final Map<String, String> PROPERTIES =
            Map.of("conf/jaas.conf", "java.security.auth.login.config", "conf/krb5.ini", "java.security.krb5.conf");

    private KerberosFiles() {}

    /** Applies to the whole process. Must be called after catalina.properties was read, and before the first login. */
    static void install(Path base) {
        PROPERTIES.forEach((name, property) -> {
            Path file = base.resolve(name);
            if (System.getProperty(property) == null && Files.exists(file)) {
                System.setProperty(property, file.toString());
            }
        });
    }

    /** Returns a line for each existing file, about its use. */
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
