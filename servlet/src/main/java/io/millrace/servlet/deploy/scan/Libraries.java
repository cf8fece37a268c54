package io.millrace.servlet.deploy.scan;

import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.FragmentSorter;
import io.millrace.servlet.model.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The jars of WEB-INF/lib, open while they are read, in the order of their names. */
public final class Libraries implements AutoCloseable {

    private final List<LibraryJar> opened = new ArrayList<>();

    private Libraries() {}

    /** The jars' paths, sorted: the same on every machine. */
    public static List<Path> paths(Path docBase) throws IOException {
        Path lib = docBase.resolve("WEB-INF/lib");
        if (!Files.isDirectory(lib)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /** Opens them; one that cannot be read is left out with a warning, as its classes will be. */
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
            ScanMessages.MESSAGES.unreadableJar(path, String.valueOf(e.getMessage()));
        }
    }

    /** The paths of those that have static resources to serve: all of them, also those that an absolute-ordering excludes. */
    public List<Path> withResources(Predicate<String> names) {
        return opened.stream()
                .filter(LibraryJar::hasResources)
                .filter(library -> names.test(library.name()))
                .map(LibraryJar::path)
                .toList();
    }

    /** The paths of those that have tag libraries, also those that an absolute-ordering excludes. */
    public List<Path> withTaglibs(Predicate<String> names) {
        return opened.stream()
                .filter(LibraryJar::hasTaglibs)
                .filter(library -> names.test(library.name()))
                .map(LibraryJar::path)
                .toList();
    }

    /** Those that take part, in the order that web.xml or the fragments ask for (Servlet 3.1, 8.2.2). */
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
