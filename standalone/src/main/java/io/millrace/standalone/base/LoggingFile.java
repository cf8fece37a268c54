package io.millrace.standalone.base;

import io.millrace.standalone.config.xml.Problems;
import io.millrace.text.Placeholders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code conf/logging.properties}, which is read by Tomcat's log manager (juli): handlers, files, levels and formats work as
 * in Tomcat.
 */
public final class LoggingFile {

    /** Below a base directory. */
    static final String FILE = "conf/logging.properties";

    static final String PROPERTY = "java.util.logging.config.file";

    /** The prefix of a handler's name, which distinguishes handlers of one class: {@code 1catalina.}. */
    private static final Pattern PREFIX = Pattern.compile("\\d[^.]*\\.(.*)");

    /** The names of Tomcat's own loggers, except those of containers, which its default file configures. */
    private static final Pattern TOMCATS_LOGGERS =
            Pattern.compile("org\\.apache\\.(catalina|coyote|tomcat\\.util|naming)\\b(?!.*ContainerBase).*\\.level");

    private final Path base;
    private final Properties properties = new Properties();
    private final Problems problems;

    private LoggingFile(Path base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

    /** Must be called before the first message is logged. A file named by the JVM's system property takes precedence. */
    public static void install(Path base) {
        Path file = base.resolve(FILE);
        if (System.getProperty(PROPERTY) == null && Files.isReadable(file)) {
            System.setProperty(PROPERTY, file.toString());
        }
    }

    /** Warns of what has no effect, or another one than in Tomcat. */
    public static void check(Path base, Problems problems) {
        Path file = base.resolve(FILE);
        if (Files.exists(file)) {
            new LoggingFile(base, problems).check(file);
        }
    }

    private void check(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            problems.warning(0, "cannot be read (" + e + "); the log goes to stderr");
            return;
        }
        TreeSet<String> handlers = new TreeSet<>();
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (key.equals("handlers") || key.endsWith(".handlers")) {
                handlers.addAll(names(value(key)));
            } else if (key.endsWith(".level")) {
                level(key);
            } else if (key.endsWith(".formatter")) {
                loaded(key, value(key), Formatter.class);
            }
        }
        handlers.forEach(this::handler);
    }

    private void handler(String handler) {
        Matcher prefixed = PREFIX.matcher(handler);
        loaded(handler, prefixed.matches() ? prefixed.group(1) : handler, Handler.class);
        number(handler + ".limit", 0);
        number(handler + ".count", 0);
        number(handler + ".maxDays", -1);
        String directory = value(handler + ".directory");
        if (!directory.isEmpty()) {
            String why = Writable.defect(base.resolve(directory));
            if (why != null) {
                problems.warning(0, handler + ".directory: " + why + "; its log messages are lost");
            }
        }
    }

    /** The numbers of a handler of files; another value would have no effect. */
    private void number(String key, int least) {
        String value = value(key);
        if (value.isEmpty()) {
            return;
        }
        try {
            if (Integer.parseInt(value) >= least) {
                return;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        problems.warning(
                0,
                key + "=" + value + ": expected a number from " + least + " to " + Integer.MAX_VALUE
                        + "; it is ignored");
    }

    private void level(String key) {
        String level = value(key);
        try {
            Level.parse(level);
        } catch (IllegalArgumentException e) {
            problems.warning(
                    0, key + "=" + level + ": expected SEVERE, WARNING, INFO, CONFIG, FINE, FINER, FINEST, ALL or OFF");
            return;
        }
        if (TOMCATS_LOGGERS.matcher(key).matches() && !Level.parse(level).equals(Level.INFO)) {
            problems.warning(0, key + " has no effect: the names of this server's loggers begin with io.millrace");
        }
    }

    private void loaded(String key, String className, Class<?> kind) {
        try {
            Class<?> type = Class.forName(className, false, LoggingFile.class.getClassLoader());
            if (!kind.isAssignableFrom(type)) {
                problems.warning(0, key + ": " + className + " is not a " + kind.getName());
            }
        } catch (ClassNotFoundException | LinkageError e) {
            problems.warning(
                    0, key + ": the class " + className + " is not found; name its jar in CLASSPATH, in bin/setenv.sh");
        }
    }

    private static List<String> names(String list) {
        List<String> names = new ArrayList<>();
        for (String name : list.split(",", -1)) {
            if (!name.isBlank()) {
                names.add(name.strip());
            }
        }
        return names;
    }

    /** Empty if it is missing. */
    private String value(String key) {
        String value = properties.getProperty(key, "").strip();
        return Placeholders.ofBase(base)
                .replace(
                        value,
                        unknown -> problems.warning(
                                0, key + ": no system property or environment variable is named " + unknown));
    }
}
