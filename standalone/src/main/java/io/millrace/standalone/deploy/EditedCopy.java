package io.millrace.standalone.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory beside a WAR and of its name, as Tomcat unpacks it. It is not deployed; but files that were edited or added in it
 * later, as the manuals of some applications advise, are files that Tomcat would serve.
 */
public final class EditedCopy {

    /** Bounds the search where such a directory contains an application's data. */
    private static final int MAX_FILES = 10_000;

    private static final String WAR = ".war";

    private EditedCopy() {}

    /** Returns a warning for the operator if a file in the directory is newer than the WAR; null without one. Blocks for file I/O. */
    public static @Nullable String warning(Path docBase) {
        String name = String.valueOf(docBase.getFileName());
        if (!name.toLowerCase(Locale.ROOT).endsWith(WAR) || !Files.isRegularFile(docBase)) {
            return null;
        }
        Path copy = docBase.resolveSibling(name.substring(0, name.length() - WAR.length()));
        if (!Files.isDirectory(copy)) {
            return null;
        }
        try (Stream<Path> files = Files.walk(copy).limit(MAX_FILES)) {
            FileTime time = Files.getLastModifiedTime(docBase);
            return files.filter(file -> isNewer(file, time))
                    .findFirst()
                    .map(file -> "files in the directory " + copy.getFileName() + ", such as " + copy.relativize(file)
                            + ", are newer than " + name + " and are not used, but Tomcat would use them: delete "
                            + name
                            + " to deploy the directory, or delete the directory")
                    .orElse(null);
        } catch (IOException | UncheckedIOException e) {
            return "the directory " + copy.getFileName() + " beside " + name + " is not used, and cannot be read (" + e
                    + "): delete one of them";
        }
    }

    private static boolean isNewer(Path file, FileTime time) {
        try {
            return Files.isRegularFile(file) && Files.getLastModifiedTime(file).compareTo(time) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
