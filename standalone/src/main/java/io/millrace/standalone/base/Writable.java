package io.millrace.standalone.base;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks directories to which the server writes, and which it may have to create. */
public final class Writable {

    private Writable() {}

    /** Returns why it is not writable, as a clause; null if it is. */
    public static @Nullable String defect(Path directory) {
        Path present = directory.toAbsolutePath();
        while (present != null && Files.notExists(present)) {
            present = present.getParent();
        }
        if (present == null || Files.isDirectory(present) && Files.isWritable(present)) {
            return null;
        }
        return present + (Files.isDirectory(present) ? " is not writable by this user" : " is not a directory");
    }
}
