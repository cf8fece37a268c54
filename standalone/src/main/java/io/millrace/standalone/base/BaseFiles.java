package io.millrace.standalone.base;

import io.millrace.servlet.deploy.loader.SharedClassLoader;
import io.millrace.standalone.config.Problem;
import io.millrace.standalone.config.Problems;
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

/** The files of one base directory besides server.xml and those of applications: read, used, and accounted for. */
public final class BaseFiles {

    private static final String JASPIC = "conf/jaspic-providers.xml";

    /** Files that Tomcat 9 ships or reads and this server does not, and why nothing is lost. */
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

    /** Reads them; their system properties are set from now on. To be called before anything is logged. */
    public static BaseFiles read(Path base) {
        return new BaseFiles(base);
    }

    /** Logs as {@code conf/logging.properties} configures it, to the files that it names. To be called before anything is logged. */
    public void useLoggingFile() {
        LoggingFile.install(base);
    }

    /** Who has the classes that the operator installed. */
    public ServerClasses classes() {
        return classes;
    }

    /** What is wrong with them. */
    public List<Problem> problems() {
        return problems;
    }

    /** A module for log-ins that is not run might let nobody in, or everybody. */
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
            // nor is it by Tomcat, which says so and goes on without
        }
    }

    /** What becomes of each, a line for each that is there. */
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
                .distinct() // lib stands twice where catalina.home is the base directory
                .map(path -> path.substring(path.lastIndexOf('/', path.length() - 2) + 1))
                .collect(Collectors.joining(", "));
    }
}
