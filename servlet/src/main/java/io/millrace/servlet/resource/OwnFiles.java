package io.millrace.servlet.resource;

import io.millrace.files.SymbolicLinks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges the WEB-INF of an application with the files that are mounted into it, in one directory: classes are those that the
 * class loader sees, everything else what the ServletContext sees.
 */
public final class OwnFiles {

    private static final String ROOT = "/WEB-INF";
    private static final String CLASSES = ROOT + "/classes";

    private final Path target;

    private OwnFiles(Path target) {
        this.target = target;
    }

    /**
     * Merges the files. Blocks for file I/O.
     *
     * @param target the directory of the result; its contents are deleted first
     * @return the directory with the merged WEB-INF: the document base itself if nothing is mounted into WEB-INF
     * @throws IOException if a file cannot be read, linked or copied
     */
    public static Path merge(Path docBase, ExtraResources extra, SymbolicLinks links, Path target) throws IOException {
        delete(target);
        if (extra.all().isEmpty()) {
            return docBase;
        }
        try (ResourceTree files = ResourceTree.of(docBase, List.of(), links, extra.files());
                ResourceTree classes = ResourceTree.of(docBase, List.of(), links, extra.classes())) {
            if (!files.isMounted(ROOT) && !classes.isMounted(CLASSES)) {
                return docBase;
            }
            OwnFiles merged = new OwnFiles(Files.createDirectories(target));
            merged.copy(files, ROOT, CLASSES);
            merged.copy(classes, CLASSES, null);
            return target;
        }
    }

    private void copy(ResourceTree tree, String directory, @Nullable String without) throws IOException {
        Set<String> paths = tree.list(directory);
        if (paths == null) {
            return;
        }
        Files.createDirectories(target.resolve(directory.substring(1)));
        for (String path : paths) {
            String plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            Resource found = plain.equals(without) ? null : tree.find(plain);
            if (found != null && found.isDirectory()) {
                copy(tree, plain, without);
            } else if (found != null) {
                copy(found, target.resolve(plain.substring(1)));
            }
        }
    }

    /** Creates a hard link where the file system permits it, because libraries are large. */
    private static void copy(Resource found, Path to) throws IOException {
        Path file = found.file();
        if (file != null) {
            try {
                Files.createLink(to, file);
                return;
            } catch (IOException | UnsupportedOperationException elsewhere) {
                // another file system, or one without hard links
            }
        }
        try (InputStream in = found.open()) {
            Files.copy(in, to);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.notExists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
