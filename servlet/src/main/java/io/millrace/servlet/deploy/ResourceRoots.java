package io.millrace.servlet.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The static resources of jars (Servlet 3.1, 4.6), unpacked, so that they are served as all other files are. */
final class ResourceRoots {

    private final Path directory;

    /** @param directory holds one directory for each jar that has resources */
    ResourceRoots(Path directory) {
        this.directory = directory;
    }

    List<Path> refresh(List<Library> libraries) throws DeploymentException, IOException {
        List<Path> roots = new ArrayList<>();
        for (Library library : libraries) {
            if (library.hasResources()) {
                Path root = directory.resolve(library.path().getFileName().toString());
                Files.createDirectories(directory);
                new WarDirectory(root).refresh(library.path(), Library.RESOURCES);
                roots.add(root.resolve(Library.RESOURCES));
            }
        }
        removeOthers(roots);
        return List.copyOf(roots);
    }

    /** Those of jars that an earlier version of the application had. */
    private void removeOthers(List<Path> roots) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> present;
        try (Stream<Path> list = Files.list(directory)) {
            present = list.toList();
        }
        for (Path path : present) {
            if (roots.stream().noneMatch(root -> root.startsWith(path))) {
                DirectoryTree.delete(path);
            }
        }
    }
}
