package io.millrace.standalone.base;

import io.millrace.servlet.deploy.loader.SharedClassLoader;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads and applies the files of a base directory, except server.xml and those of applications, and reports how each is used. */
public final class BaseFiles {

    private static final String JASPIC = "conf/jaspic-providers.xml";

    /** Files that Tomcat 9 ships or reads and this server ignores, and why. */
    private static final Map<String, String> IGNORED = Map.of(
            "conf/catalina.policy", "ignored: there is no security manager",
            "bin/setenv.bat", "ignored: it is for Windows; bin/setenv.sh is read");

    private final Path base;
    private final CatalinaProperties properties;
    private final ServerClasses classes;
    private final List<Problem> problems = new ArrayList<>();

    private BaseFiles(Path base) {
        this.base = base;
        Problems found = new Problems(CatalinaProperties.FILE);
        properties = CatalinaProperties.read(base, found);
        properties.install();
        KerberosFiles.install(base);
        classes = properties.classes(found);
        problems.addAll(found.inOrder());
        Problems logging = new Problems(LoggingFile.FILE);
        LoggingFile.check(base, logging);
        problems.addAll(logging.inOrder());
        jaspic();
    }

    /** Reads them and sets their system properties. Must be called before anything is logged. */
    public static BaseFiles read(Path base) {
        return new BaseFiles(base);
    }

    /** Configures logging by {@code conf/logging.properties}. Must be called before anything is logged. */
    public void useLoggingFile() {
        LoggingFile.install(base);
    }

    /** The class loaders of what the operator installed. */
    public ServerClasses classes() {
        return classes;
    }

    /** The problems of these files. */
    public List<Problem> problems() {
        return problems;
    }

    /** Reports authentication modules, which are not supported: without them, access could be denied or granted wrongly. */
    private void jaspic() {
        try {
            Path file = base.resolve(JASPIC);
            if (Files.exists(file)
                    && Files.readString(file, StandardCharsets.UTF_8).contains("<provider ")) {
                Problems found = new Problems(JASPIC);
                found.error(
                        0,
                        "JASPIC modules are not supported; authenticate users in the application, and remove the provider");
                problems.addAll(found.inOrder());
            }
        } catch (IOException unreadable) {
            // Tomcat logs that and continues without it
        }
    }

    /** Returns a line for each existing file, about its use. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        if (isThere(CatalinaProperties.FILE)) {
            lines.add(CatalinaProperties.FILE + ": used: " + properties.values().size() + " system properties");
        }
        Stream.of(classes.shared().getParent(), classes.shared(), classes.server())
                .filter(SharedClassLoader.class::isInstance)
                .map(SharedClassLoader.class::cast)
                .distinct()
                .map(loader -> loader.getName() + ".loader: used: " + names(loader.getURLs()))
                .forEach(lines::add);
        if (isThere(LoggingFile.FILE)) {
            lines.add(LoggingFile.FILE + ": used");
        }
        if (isThere("bin/setenv.sh")) {
            lines.add("bin/setenv.sh: used by bin/millrace");
        }
        for (String file : List.of("conf/web.xml", "conf/context.xml")) {
            if (isThere(file)) {
                lines.add(file + ": used");
            }
        }
        lines.addAll(KerberosFiles.describe(base));
        IGNORED.keySet().stream()
                .sorted()
                .filter(this::isThere)
                .forEach(file -> lines.add(file + ": " + IGNORED.get(file)));
        return lines;
    }

    private boolean isThere(String file) {
        return Files.exists(base.resolve(file));
    }

    private static String names(URL[] urls) {
        return Arrays.stream(urls)
                .map(URL::getPath)
                .distinct() // lib is listed twice if catalina.home is the base directory
                .map(path -> path.substring(path.lastIndexOf('/', path.length() - 2) + 1))
                .collect(Collectors.joining(", "));
    }

    /** conf/jaas.conf and conf/krb5.ini, Tomcat's default files, which system properties override. */
    private static final class KerberosFiles {

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
}
