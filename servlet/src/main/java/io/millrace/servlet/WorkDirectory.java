package io.millrace.servlet;

import io.millrace.files.FileDeletion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** An application's work directory: a configured one, which is kept, or a temporary one, which is deleted when it stops. */
record WorkDirectory(Path path, boolean isTemporary) {

    static WorkDirectory of(@Nullable Path given, String contextPath) throws IOException {
        if (given != null) {
            return new WorkDirectory(Files.createDirectories(given), false);
        }
        String name = contextPath.isEmpty() ? "root" : contextPath.substring(1).replace('/', '-');
        try {
            return new WorkDirectory(Files.createTempDirectory("millrace-" + name + "-"), true);
        } catch (IOException e) {
            throw new IOException(
                    "no temporary directory can be created in " + System.getProperty("java.io.tmpdir") + " (" + e
                            + "); correct its permissions",
                    e);
        }
    }

    void close() {
        if (!isTemporary) {
            return;
        }
        try {
            FileDeletion.deleteTree(path);
        } catch (IOException e) {
            Logger.getLogger(WorkDirectory.class).debugf(e, "failed to delete the temporary directory %s", path);
        }
    }
}
