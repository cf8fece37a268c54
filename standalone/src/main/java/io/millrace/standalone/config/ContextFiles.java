package io.millrace.standalone.config;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The files of the Context elements of a host's applications, in Tomcat's order: {@code conf/context.xml} and {@code
 * conf/Catalina/<host>/context.xml.default} for all, then the application's own file in that directory or, without one, its
 * {@code META-INF/context.xml}.
 */
public final class ContextFiles {

    private static final String INSIDE = "META-INF/context.xml";
    private static final String HOST_DEFAULTS = "context.xml.default";

    private final Path base;
    private final @Nullable Path hostDirectory;
    private final List<Element> global;
    private final boolean deployXml;
    private final List<Element> relays;

    private ContextFiles(
            Path base, @Nullable Path hostDirectory, List<Element> global, boolean deployXml, List<Element> relays) {
        this.base = base;
        this.hostDirectory = hostDirectory;
        this.global = global;
        this.deployXml = deployXml;
        this.relays = List.copyOf(relays);
    }

    /**
     * The files of a host below a base directory.
     *
     * @param global the targets of ResourceLink elements
     * @param deployXml if false, an application with a {@code META-INF/context.xml} is deployed only if it has a file in that directory
     */
    static ContextFiles of(Path base, Path hostDirectory, List<Element> global, boolean deployXml) {
        return new ContextFiles(base, hostDirectory, global, deployXml, List.of());
    }

    /** Returns a copy with the Valves in Engine and Host that evaluate what front ends report. */
    ContextFiles behind(List<Element> frontEnds) {
        return new ContextFiles(base, hostDirectory, global, deployXml, frontEnds);
    }

    /** Only the files in applications. */
    public static ContextFiles inApplicationsAlone(Path base) {
        return new ContextFiles(base, null, List.of(), true, List.of());
    }

    /** The path of an application's own file in conf/Catalina; null if there is no such directory. */
    public @Nullable Path own(String baseName) {
        return hostDirectory == null ? null : hostDirectory.resolve(baseName + ".xml");
    }

    /** The path of a file of the host; null if there is no such directory. */
    public @Nullable Path ofHost(String name) {
        return hostDirectory == null ? null : hostDirectory.resolve(name);
    }

    /** The paths of the default descriptors, whether they exist or not: the host's, which takes precedence, and the one for all. */
    public Map<String, Path> webXmlDefaults() {
        Map<String, Path> files = new LinkedHashMap<>();
        if (hostDirectory != null) {
            Path ofHost = hostDirectory.resolve("web.xml.default");
            Path ofAll = base.resolve("conf").resolve("web.xml");
            files.put(nameOf(ofHost), ofHost);
            files.put(nameOf(ofAll), ofAll);
        }
        return files;
    }

    /**
     * Lists the applications' own files, sorted by name.
     *
     * @throws IOException if the directory exists but cannot be read
     */
    public List<Path> all() throws IOException {
        if (hostDirectory == null || !Files.isDirectory(hostDirectory)) {
            return List.of();
        }
        try (var files = Files.list(hostDirectory)) {
            return files.filter(file -> file.toString().endsWith(".xml") && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
    }

    /** Reads all Context elements of an application. */
    public ContextReading read(String baseName, Path docBase) {
        ContextReading reading = defaults();
        Path own = own(baseName);
        if (own != null && Files.isRegularFile(own)) {
            reading.add(nameOf(own), () -> Files.readAllBytes(own));
        } else if (!deployXml) {
            reading.refuse(
                    docBase.getFileName() + " " + INSIDE,
                    () -> inside(docBase),
                    "write " + nameOf(own(baseName)) + " instead");
        } else {
            reading.add(docBase.getFileName() + " " + INSIDE, () -> inside(docBase));
        }
        return reading;
    }

    /** Reads only an application's own file, for its docBase. */
    public ContextReading readOwn(Path own) {
        ContextReading reading = new ContextReading(base, global, relays, hostDirectory != null);
        reading.add(nameOf(own), () -> Files.readAllBytes(own));
        return reading;
    }

    /** Reads all Context elements of an application that server.xml names. */
    ContextReading read(Element inServerXml, Problems found) {
        ContextReading reading = defaults();
        reading.add(inServerXml, found);
        return reading;
    }

    private ContextReading defaults() {
        ContextReading reading = new ContextReading(base, global, relays, hostDirectory != null);
        if (hostDirectory != null) {
            List<Path> files = new ArrayList<>();
            files.add(base.resolve("conf").resolve("context.xml"));
            files.add(hostDirectory.resolve(HOST_DEFAULTS));
            files.stream()
                    .filter(Files::isRegularFile)
                    .forEach(file -> reading.add(nameOf(file), () -> Files.readAllBytes(file)));
        }
        return reading;
    }

    private String nameOf(@Nullable Path file) {
        return file == null ? "a file of its own" : (file.startsWith(base) ? base.relativize(file) : file).toString();
    }

    /** Null if it contains none. */
    private static byte @Nullable [] inside(Path docBase) throws IOException {
        if (Files.isDirectory(docBase)) {
            Path file = docBase.resolve(INSIDE);
            return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
        }
        if (!Files.isRegularFile(docBase)) {
            return null;
        }
        try (ZipFile zip = new ZipFile(docBase.toFile())) {
            ZipEntry entry = zip.getEntry(INSIDE);
            if (entry == null) {
                return null;
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        } catch (java.util.zip.ZipException e) {
            return null; // an invalid WAR is reported elsewhere
        }
    }
}
