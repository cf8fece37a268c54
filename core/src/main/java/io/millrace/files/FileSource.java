package io.millrace.files;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds files by their paths. Called by any thread that may block. */
public interface FileSource {

    /**
     * The file or directory at a path; null if there is none, or if it must not be served.
     *
     * @param path decoded and normalized; begins with a slash, or is empty for the root. A trailing slash matches
     *     directories only
     * @throws IOException if the file system cannot be read
     */
    @Nullable
    ServedFile find(String path) throws IOException;

    /**
     * The files in a directory that may be listed, in any order; empty if there is no such directory.
     *
     * @param directory as for {@link #find}
     */
    List<? extends ServedFile> listing(String directory) throws IOException;
}
