package io.millrace.standalone.base;

import io.millrace.standalone.config.xml.Problems;
import io.millrace.text.Placeholders;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * {@code conf/catalina.properties}: system properties, and the class paths of the server and of all applications. As in Tomcat,
 * the file takes precedence over {@code -D}.
 */
public final class CatalinaProperties {

    /** Below {@code conf} of a base directory. */
    static final String FILE = "conf/catalina.properties";

    private static final String COMMON = "common.loader";
    private static final String SERVER = "server.loader";
    private static final String SHARED = "shared.loader";

    private static final String COMMON_DEFAULT = "\"${catalina.base}/lib\",\"${catalina.base}/lib/*.jar\"";

    private final Path base;
    private final Properties properties;

    private CatalinaProperties(Path base, Properties properties) {
        this.base = base;
        this.properties = properties;
    }

    /** Reads the file; no properties if it does not exist. An unreadable one is an error. */
    public static CatalinaProperties read(Path base, Problems problems) {
        Properties properties = new Properties();
        Path file = base.resolve(FILE);
        if (Files.exists(file)) {
            try (InputStream in = Files.newInputStream(file)) {
                properties.load(in);
            } catch (IOException | IllegalArgumentException e) {
                problems.error(0, "cannot be read (" + e + "); correct it, or remove it");
                properties.clear();
            }
        }
        return new CatalinaProperties(base, properties);
    }

    /** Sets them as system properties. Must be called before anything reads one. */
    public void install() {
        System.setProperty("catalina.base", base.toString());
        if (System.getProperty("catalina.home") == null) {
            System.setProperty("catalina.home", base.toString());
        }
        values().forEach(System::setProperty);
    }

    Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> values.put(name, properties.getProperty(name)));
        return values;
    }

    /** Creates the class loaders for the server, for applications, and for both. */
    public ServerClasses classes(Problems problems) {
        List<URL> common = paths(COMMON, COMMON_DEFAULT, problems);
        List<URL> server = paths(SERVER, "", problems);
        List<URL> shared = paths(SHARED, "", problems);
        return ServerClasses.of(common, server, shared);
    }

    private List<URL> paths(String loader, String byDefault, Problems problems) {
        Placeholders placeholders = Placeholders.ofBase(base);
        List<URL> found = new ArrayList<>();
        for (String entry : LoaderPaths.split(properties.getProperty(loader, byDefault))) {
            String path = placeholders.replace(entry, name -> {});
            found.addAll(LoaderPaths.find(base, path, problem -> problems.warning(0, loader + ": " + problem)));
        }
        return found;
    }
}
