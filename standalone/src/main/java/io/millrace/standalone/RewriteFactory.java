package io.millrace.standalone;

import io.millrace.rewrite.RewriteFiles;
import io.millrace.rewrite.RewriteMap;
import io.millrace.rewrite.RewriteRules;
import io.millrace.rewrite.RewriteSyntaxException;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Values;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Creates the rules of RewriteValves, from {@code conf/Catalina/<host>/rewrite.config} or an application's WEB-INF. */
final class RewriteFactory {

    private final ClassLoader classes;

    /** @param classes loads the classes of RewriteMap lines */
    RewriteFactory(ClassLoader classes) {
        this.classes = classes;
    }

    /**
     * Reads the rules of a host.
     *
     * @return null without any, or if the Valve is switched off
     * @throws OperatorException if they cannot be read
     */
    @Nullable
    RewriteRules ofHost(Values valve, ServerConfig.Host host, Path work) throws OperatorException {
        Path file = host.contextFiles().ofHost(resource(valve));
        if (!valve.flag("enabled") || file == null || Files.notExists(file)) {
            return null;
        }
        try {
            return parse(Files.readString(file, StandardCharsets.UTF_8), file.toString(), file.resolveSibling(""))
                    .withFiles(new HostFiles(host, work));
        } catch (IOException e) {
            throw new OperatorException(file + " cannot be read (" + e + ")");
        }
    }

    /**
     * Reads the rules of an application.
     *
     * @param docBase its WAR or directory
     * @return null without any, or if the Valve is switched off
     * @throws OperatorException if they cannot be read
     */
    @Nullable
    RewriteRules ofContext(Values valve, Path docBase) throws OperatorException {
        String name = "WEB-INF/" + resource(valve);
        if (!valve.flag("enabled")) {
            return null;
        }
        try {
            byte[] text = inside(docBase, name);
            RewriteRules rules = text == null
                    ? null
                    : parse(new String(text, StandardCharsets.UTF_8), name, docBase.resolve("WEB-INF"));
            if (rules != null && rules.changeHosts()) {
                throw new OperatorException(name + ": the flag H needs the rules of a Host; move the rule there");
            }
            return rules;
        } catch (IOException e) {
            throw new OperatorException(docBase + " " + name + " cannot be read (" + e + ")");
        }
    }

    /** The warning that an application has a Valve but no rules. */
    static String withoutRules(Values valve) {
        return "the RewriteValve has no rules: there is no WEB-INF/" + resource(valve);
    }

    private static String resource(Values valve) {
        return valve.text("resourcePath", "rewrite.config");
    }

    private RewriteRules parse(String text, String name, Path directory) throws OperatorException {
        try {
            return RewriteRules.parse(text, directory, this::map);
        } catch (RewriteSyntaxException e) {
            throw new OperatorException(name + ":" + e.line() + ": " + e.getMessage());
        }
    }

    /** Instantiates a class that implements Tomcat's interface or ours. */
    private RewriteMap map(String className, @Nullable String parameters) {
        try {
            Object made = Class.forName(className, true, classes)
                    .getDeclaredConstructor()
                    .newInstance();
            if (made instanceof org.apache.catalina.valves.rewrite.RewriteMap map) {
                if (parameters != null) {
                    map.setParameters(parameters);
                }
                return map::lookup;
            }
            if (made instanceof RewriteMap map) {
                return map;
            }
            throw new IllegalArgumentException("RewriteMap " + className + " implements neither"
                    + " org.apache.catalina.valves.rewrite.RewriteMap nor " + RewriteMap.class.getName());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    "RewriteMap " + className + " cannot be instantiated (" + e
                            + "); put its jar into lib of the base directory",
                    e);
        }
    }

    private static byte @Nullable [] inside(Path docBase, String name) throws IOException {
        if (Files.isDirectory(docBase)) {
            Path file = docBase.resolve(name);
            return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
        }
        try (ZipFile zip = new ZipFile(docBase.toFile())) {
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                return null;
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }

    /**
     * The files of a host's applications, for rewrite rules that run before a request is routed to one. A path belongs to the
     * application with the longest matching context path. WARs are looked up where they are unpacked, in the work directory.
     */
    private static final class HostFiles implements RewriteFiles {

        private final Path appBase;
        private final Path work;
        private final Map<String, Path> named = new HashMap<>();

        HostFiles(ServerConfig.Host host, Path work) {
            this.appBase = host.appBase();
            this.work = work;
            host.contexts().forEach(context -> named.put(context.path(), context.docBase()));
        }

        @Override
        public @Nullable Path find(String path) {
            Path whole = Path.of(path).normalize();
            if (whole.startsWith(appBase) || whole.startsWith(work)) {
                return whole;
            }
            String context = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            while (true) {
                Path files = directory(context);
                if (files != null) {
                    return RewriteFiles.below(files).find(path.substring(context.length()));
                }
                int slash = context.lastIndexOf('/');
                if (slash < 0) {
                    return null;
                }
                context = context.substring(0, slash);
            }
        }

        /** Null if no application has this context path. */
        private @Nullable Path directory(String contextPath) {
            if (!contextPath.isEmpty() && !contextPath.startsWith("/")) {
                return null;
            }
            Path docBase = named.get(contextPath);
            if (docBase != null && Files.isDirectory(docBase)) {
                return docBase;
            }
            String name = ContextName.baseName(contextPath);
            Path unpacked = work.resolve(name).resolve("webapp");
            if (Files.isDirectory(unpacked)) {
                return unpacked;
            }
            Path exploded = appBase.resolve(name);
            return Files.isDirectory(exploded) ? exploded : null;
        }
    }
}
