package io.millrace.files;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where served files come from: paths in, files out. Any thread that may block. */
public interface FileSource {

    /**
     * The file or directory at a path; null if there is none, or none that anybody may see.
     *
     * @param path decoded and normalised; begins with a slash, or is empty for the root. With a final slash only
     *     directories are found
     * @throws IOException if it can't be determined
     */
    @Nullable
    ServedFile find(String path) throws IOException;

    /**
     * What lies directly in a directory and may be shown, in any order; empty if there is no such directory.
     *
     * @param directory as in {@link #find}
     */
    List<? extends ServedFile> listing(String directory) throws IOException;
}
