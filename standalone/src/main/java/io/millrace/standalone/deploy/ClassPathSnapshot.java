package io.millrace.standalone.deploy;

import io.millrace.servlet.deploy.loader.WebAppClassLoader;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.ResourceMount;
import java.io.IOException;
import java.net.URL;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * What an application's class loader reads, as it was at one moment: the files of WEB-INF/classes and the jars of WEB-INF/lib, also those
 * that are mounted there. Equal ones mean that nothing has changed. Immutable.
 */
public final class ClassPathSnapshot {

    private static final String CLASSES = "/WEB-INF/classes";
    private static final String LIBRARIES = "/WEB-INF/lib";
    private static final String CLASS = ".class";

    private record State(long size, FileTime modified) {}

    private final List<Path> directories = new ArrayList<>();
    private final Map<Path, State> jars = new HashMap<>();
    private final Map<Path, State> files = new HashMap<>();

    private ClassPathSnapshot() {}

    /**
     * Reads their sizes and times. Blocks for file I/O.
     *
     * @param docBase none are read of one that is a WAR
     * @throws IOException if they change so fast that they cannot be listed
     */
    public static ClassPathSnapshot of(Path docBase, ExtraResources extra) throws IOException {
        ClassPathSnapshot found = new ClassPathSnapshot();
        for (ResourceMount mount : extra.classes().all()) {
            found.add(mount);
        }
        if (Files.isDirectory(docBase)) {
            found.below(docBase);
        }
        for (Path directory : found.directories) {
            walk(directory, found.files);
        }
        return found;
    }

    private void add(ResourceMount mount) throws IOException {
        Path inner = mount.base().resolve(mount.internal().replaceFirst("^/", ""));
        if (mount.at().isEmpty() && mount.kind() == ResourceMount.Kind.DIRECTORY) {
            below(inner);
        } else if (mount.at().startsWith(CLASSES) && mount.kind() == ResourceMount.Kind.DIRECTORY) {
            directories.add(inner);
        } else if (mount.at().startsWith(CLASSES) || mount.at().startsWith(LIBRARIES + "/")) {
            addJar(mount.base());
        } else if (mount.at().equals(LIBRARIES)) {
            addJars(inner);
        }
    }

    private void below(Path root) throws IOException {
        directories.add(root.resolve(CLASSES.substring(1)));
        addJars(root.resolve(LIBRARIES.substring(1)));
    }

    private void addJars(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            try (Stream<Path> entries = Files.list(directory)) {
                for (Path jar : entries.filter(entry -> entry.toString().endsWith(".jar"))
                        .toList()) {
                    addJar(jar);
                }
            }
        }
    }

    private void addJar(Path jar) throws IOException {
        BasicFileAttributes found = Files.readAttributes(jar, BasicFileAttributes.class);
        jars.put(jar, new State(found.size(), found.lastModifiedTime()));
    }

    private static void walk(Path directory, Map<Path, State> into) throws IOException {
        if (Files.isDirectory(directory)) {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes found) {
                    into.put(file, new State(found.size(), found.lastModifiedTime()));
                    return FileVisitResult.CONTINUE;
                }
            });
        }
    }

    /** Whether there is nothing, as between a build's cleaning and its compiling. */
    public boolean isEmpty() {
        return files.isEmpty() && jars.isEmpty();
    }

    /** The files that are new, changed or gone since an earlier moment, sorted. */
    public List<Path> changedSince(ClassPathSnapshot earlier) {
        Map<Path, State> now = all();
        Map<Path, State> before = earlier.all();
        return Stream.concat(now.keySet().stream(), before.keySet().stream())
                .distinct()
                .filter(file -> {
                    State state = now.get(file);
                    return state == null || !state.equals(before.get(file));
                })
                .sorted()
                .toList();
    }

    private Map<Path, State> all() {
        Map<Path, State> all = new HashMap<>(files);
        all.putAll(jars);
        return all;
    }

    /**
     * Loads the classes that have changed since an earlier moment, without running any of their code, and opens the jars.
     *
     * @param parent of the application's class loader
     * @return why one cannot be loaded; null if all can
     */
    public @Nullable String defect(ClassPathSnapshot earlier, ClassLoader parent) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (Path each : Stream.concat(
                        directories.stream(), jars.keySet().stream().sorted())
                .toList()) {
            urls.add(each.toUri().toURL());
        }
        try (WebAppClassLoader loader =
                new WebAppClassLoader("classes to be loaded", urls.toArray(URL[]::new), parent, false)) {
            for (Path file : changedSince(earlier)) {
                String defect = jars.containsKey(file) ? jarDefect(file) : classDefect(file, loader);
                if (defect != null) {
                    return defect;
                }
            }
            return null;
        }
    }

    private static @Nullable String jarDefect(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.size() < 0 ? jar + " is not a jar" : null;
        } catch (IOException e) {
            return jar + " cannot be read (" + e.getMessage() + ")";
        }
    }

    /** Null for what is no class, or is gone. */
    private @Nullable String classDefect(Path file, ClassLoader loader) {
        String path = file.toString();
        Path directory =
                directories.stream().filter(file::startsWith).findFirst().orElse(null);
        if (directory == null || !files.containsKey(file) || !path.endsWith(CLASS) || path.endsWith("-info.class")) {
            return null;
        }
        String relative = directory.relativize(file).toString();
        String name = relative.substring(0, relative.length() - CLASS.length()).replace('/', '.');
        try {
            Class.forName(name, false, loader);
            return null;
        } catch (ClassNotFoundException | LinkageError e) {
            return "the class " + name + " cannot be loaded (" + e + ")";
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClassPathSnapshot that && files.equals(that.files) && jars.equals(that.jars);
    }

    @Override
    public int hashCode() {
        return files.hashCode() * 31 + jars.hashCode();
    }
}
