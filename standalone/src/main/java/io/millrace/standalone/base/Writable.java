package io.millrace.standalone.base;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Directories that the server is to write to, and may have to make. */
public final class Writable {

    private Writable() {}

    /** Why nothing can be written there, as a clause; null if it can. */
    public static @Nullable String defect(Path directory) {
        Path present = directory.toAbsolutePath();
        while (present != null && Files.notExists(present)) {
            present = present.getParent();
        }
        if (present == null || Files.isDirectory(present) && Files.isWritable(present)) {
            return null;
        }
        return present + (Files.isDirectory(present) ? " may not be written by this user" : " is no directory");
    }
}
