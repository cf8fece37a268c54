package io.millrace.standalone.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Finds WARs that cannot be read. */
final class Defects {

    private Defects() {}

    static @Nullable String of(Path docBase) {
        if (!Files.exists(docBase)) {
            return "there is no such file or directory";
        }
        if (!Files.isReadable(docBase)) {
            return "this user may not read it";
        }
        return Files.isDirectory(docBase) ? null : ofArchive(docBase);
    }

    private static @Nullable String ofArchive(Path war) {
        try (ZipFile zip = new ZipFile(war.toFile())) {
            return zip.size() > 0 ? null : "it is an empty archive";
        } catch (IOException e) {
            return "it is not a WAR that can be read (" + e.getMessage() + ")";
        }
    }
}
