package io.millrace.servlet.deploy.scan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory WEB-INF/classes. */
public final class ClassesDirectory implements ClassSource {

    private final Path directory;

    public ClassesDirectory(Path directory) {
        this.directory = directory;
    }

    @Override
    public String source() {
        return "WEB-INF/classes";
    }

    /** Null: only the contents of the files tell whether they have changed. */
    @Override
    public @Nullable JarKey key() {
        return null;
    }

    @Override
    public void visit(Visitor visitor) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(directory)) {
            files = walk.sorted().toList();
        }
        for (Path file : files) {
            String path = directory.relativize(file).toString().replace('\\', '/');
            if (ClassSource.isClass(path)) {
                visitor.visit(path, Files.readAllBytes(file));
            }
        }
    }

    /** The contents of a text file; empty if there is none. */
    String text(String path) throws IOException {
        Path file = directory.resolve(path);
        return Files.isRegularFile(file) ? Files.readString(file) : "";
    }
}
