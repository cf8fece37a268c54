package io.millrace.servlet.deploy.scan;

import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.FragmentSorter;
import io.millrace.servlet.model.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The open JARs of WEB-INF/lib, in the order of their names. */
public final class Libraries implements AutoCloseable {

    private final List<LibraryJar> opened = new ArrayList<>();

    private Libraries() {}

    /** The paths of the JARs, sorted, so that the order is the same on every machine. */
    public static List<Path> paths(Path docBase) throws IOException {
        Path lib = docBase.resolve("WEB-INF/lib");
        if (!Files.isDirectory(lib)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> file.toString().endsWith(".jar") && !Files.isDirectory(file))
                    .sorted()
                    .toList();
        }
    }

    /** Opens the JARs. One that cannot be read is an error, as in Tomcat: it may have filters, constraints and initializers. */
    public static Libraries open(List<Path> paths) throws DeploymentException {
        Libraries libraries = new Libraries();
        try {
            for (Path path : paths) {
                libraries.add(path);
            }
            return libraries;
        } catch (DeploymentException | RuntimeException e) {
            libraries.close();
            throw e;
        }
    }

    private void add(Path path) throws DeploymentException {
        try {
            opened.add(LibraryJar.open(path));
        } catch (IOException e) {
            throw new DeploymentException(
                    "WEB-INF/lib/" + path.getFileName() + " is not a JAR that can be read (" + e.getMessage()
                            + "), and filters or constraints of it would be missing; replace or remove it",
                    e);
        }
    }

    /** The paths of JARs with static resources, including those that an absolute-ordering excludes. */
    public List<Path> withResources(Predicate<String> names) {
        return opened.stream()
                .filter(LibraryJar::hasResources)
                .filter(library -> names.test(library.name()))
                .map(LibraryJar::path)
                .toList();
    }

    /** The paths of JARs with tag libraries, including those that an absolute-ordering excludes. */
    public List<Path> withTaglibs(Predicate<String> names) {
        return opened.stream()
                .filter(LibraryJar::hasTaglibs)
                .filter(library -> names.test(library.name()))
                .map(LibraryJar::path)
                .toList();
    }

    /**
     * The entries of one name, including those of JARs that an absolute-ordering excludes.
     *
     * @return by the path of the entry in the application, in the order of the JARs; to be read before this is closed
     */
    public Map<String, Entry> entries(String name) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (LibraryJar library : opened) {
            if (library.has(name)) {
                entries.put(library.nameOf(name), () -> library.bytes(name));
            }
        }
        return entries;
    }

    /** The contents of a file. */
    @FunctionalInterface
    public interface Entry {

        /** Reads all of it. */
        byte[] bytes() throws IOException;
    }

    /** Whether web.xml or a fragment specifies an order. */
    public boolean areOrdered(Descriptor main) {
        return main.absoluteOrdering != null
                || !main.metadataComplete
                        && opened.stream()
                                .anyMatch(library -> library.fragment().isOrdered());
    }

    /** The JARs to scan, in the order that web.xml or the fragments specify (Servlet 3.1, 8.2.2). */
    public List<LibraryJar> ordered(Descriptor main) throws DeploymentException {
        List<Descriptor> fragments = opened.stream().map(LibraryJar::fragment).toList();
        List<String> absolute = main.absoluteOrdering;
        if (absolute == null && main.metadataComplete) {
            return opened;
        }
        List<Descriptor> order =
                absolute == null ? FragmentSorter.relative(fragments) : FragmentSorter.absolute(fragments, absolute);
        List<LibraryJar> libraries = new ArrayList<>();
        for (Descriptor fragment : order) {
            opened.stream()
                    .filter(library -> library.fragment().equals(fragment))
                    .forEach(libraries::add);
        }
        return libraries;
    }

    @Override
    public void close() {
        for (LibraryJar library : opened) {
            library.close();
        }
    }
}
