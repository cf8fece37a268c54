package io.millrace.rewrite;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The files that rules refer to: by {@code -f}, {@code -d} and {@code -s}, and by variables such as DOCUMENT_ROOT. */
@FunctionalInterface
public interface RewriteFiles {

    /** No files. */
    RewriteFiles NONE = path -> null;

    /**
     * The file that a request's path refers to, whether it exists or not.
     *
     * @param path below the rules' context path; decoded
     * @return null if the path cannot refer to a file
     */
    @Nullable
    Path find(String path);

    /** The files of a directory. A path that is a file system path below the directory refers to that file. */
    static RewriteFiles below(Path directory) {
        Path root = directory.toAbsolutePath().normalize();
        return path -> {
            Path found = path.startsWith(root.toString())
                    ? Path.of(path).normalize()
                    : root.resolve(path.replaceFirst("^/+", "")).normalize();
            return found.startsWith(root) ? found : null;
        };
    }
}
