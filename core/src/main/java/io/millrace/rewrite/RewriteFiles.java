package io.millrace.rewrite;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the files are that rules ask for: by {@code -f}, {@code -d} and {@code -s}, and by variables such as DOCUMENT_ROOT. */
@FunctionalInterface
public interface RewriteFiles {

    /** There are no files. */
    RewriteFiles NONE = path -> null;

    /**
     * What a request for a path is about, whether it is there or not.
     *
     * @param path of a request, below the rules' context path; decoded
     * @return null if no file can be meant
     */
    @Nullable
    Path find(String path);

    /** Those of one directory. A path that is one of the file system and below the directory means that file. */
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
