package io.millrace.standalone.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files of a Tomcat base directory that are not read here. What an operator put into them is told, not what Tomcat ships. */
public final class UnreadFiles {

    /** More would hide the rest of the message. */
    private static final int MOST_NAMES = 5;

    /** Keys of Tomcat 9's own conf/catalina.properties that set up its class loaders, its scanner and its security manager. */
    private static final Pattern TOMCATS_PROPERTIES =
            Pattern.compile("package\\..*|tomcat\\.util\\..*|org\\.apache\\..*");

    /** Keys of Tomcat 9's own conf/logging.properties. */
    private static final Pattern TOMCATS_LOGGING = Pattern.compile(
            "\\.?handlers|\\d\\w+\\.org\\.apache\\.juli\\..*|java\\.util\\.logging\\.ConsoleHandler\\..*"
                    + "|org\\.apache\\.catalina\\.core\\..*");

    /** Names of the jars in Tomcat 9's lib. */
    private static final Pattern TOMCATS_JARS = Pattern.compile(
            "(annotations-api|catalina|ecj|el-api|jasper|jaspic-api|jsp-api|servlet-api|tomcat|websocket-api)\\b.*");

    /** What Tomcat's own loaders look into. */
    private static final Pattern TOMCATS_LIB =
            Pattern.compile("\"?\\$\\{catalina\\.(base|home)}/lib(/\\*\\.jar)?\"?,?");

    private static final String CATALINA_PROPERTIES = "conf/catalina.properties";

    private UnreadFiles() {}

    /**
     * Sentences that name what is lost and what to do.
     *
     * @param home the server's own directory, whose lib is read
     */
    public static List<Problem> in(Path base, Path home) {
        List<Problem> found = new ArrayList<>();
        tell(
                CATALINA_PROPERTIES,
                properties(base),
                "set properties in JAVA_OPTS (-Dname=value), and put jars into lib of the server",
                found);
        tell(
                "conf/logging.properties",
                keys(base.resolve("conf/logging.properties"), TOMCATS_LOGGING),
                "the log goes to stderr, and MILLRACE_LOG says how much",
                found);
        if (!base.normalize().equals(home.normalize())) {
            tell(
                    "lib",
                    jars(base.resolve("lib")),
                    "put these into lib of the server, or WEB-INF/lib of the applications",
                    found);
        }
        Path setenv = base.resolve("bin/setenv.sh");
        if (isFilled(setenv)) {
            warn("bin/setenv.sh", "not run: set JAVA_OPTS and JAVA_HOME in the environment", found);
        }
        return found;
    }

    /** The names that an operator added to conf/catalina.properties. */
    static Set<String> properties(Path base) {
        Path file = base.resolve(CATALINA_PROPERTIES);
        Set<String> keys = keys(file, TOMCATS_PROPERTIES);
        Properties properties = load(file);
        for (String loader : List.of("common.loader", "server.loader", "shared.loader")) {
            keys.remove(loader);
            String left =
                    TOMCATS_LIB.matcher(properties.getProperty(loader, "")).replaceAll("");
            if (!left.isBlank()) {
                keys.add(loader);
            }
        }
        return keys;
    }

    private static Set<String> keys(Path file, Pattern tomcats) {
        Set<String> keys = new TreeSet<>(load(file).stringPropertyNames());
        keys.removeIf(key -> tomcats.matcher(key).matches());
        return keys;
    }

    /** Empty if it is not there or can't be read. */
    private static Properties load(Path file) {
        Properties properties = new Properties();
        if (Files.isReadable(file)) {
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                properties.clear();
            }
        }
        return properties;
    }

    private static Set<String> jars(Path lib) {
        if (!Files.isDirectory(lib)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(lib)) {
            Set<String> names = new TreeSet<>();
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name ->
                            name.endsWith(".jar") && !TOMCATS_JARS.matcher(name).matches())
                    .forEach(names::add);
            return names;
        } catch (IOException e) {
            return Set.of();
        }
    }

    private static boolean isFilled(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void tell(String file, Set<String> names, String remedy, List<Problem> to) {
        if (!names.isEmpty()) {
            String first = String.join(", ", names.stream().limit(MOST_NAMES).toList());
            warn(file, "not read (" + first + (names.size() > MOST_NAMES ? ", …" : "") + "): " + remedy, to);
        }
    }

    private static void warn(String file, String text, List<Problem> to) {
        to.add(new Problem(Problem.Severity.WARNING, file, 0, text));
    }
}
