package io.millrace.servlet.deploy.scan;

import java.util.ArrayList;
import java.util.List;

/** The names in a META-INF/services file, as java.util.ServiceLoader reads it. */
public final class ServiceFile {

    public static final String INITIALIZERS = "META-INF/services/javax.servlet.ServletContainerInitializer";
    public static final String JAKARTA_INITIALIZERS = "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    private ServiceFile() {}

    static List<String> names(String text) {
        List<String> names = new ArrayList<>();
        for (String line : text.lines().toList()) {
            int comment = line.indexOf('#');
            String name = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }
}
