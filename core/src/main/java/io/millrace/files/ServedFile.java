package io.millrace.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file or directory that can be served, as found at its lookup. Immutable. */
public interface ServedFile {

    /** The last segment of its path; its extension determines the content type. */
    String name();

    boolean isDirectory();

    /** The length in bytes. */
    long length();

    /** The time of the last modification, in milliseconds since 1970. */
    long lastModified();

    /** The state of the content, without reading it: two stamps are equal as long as it has not changed. */
    Object stamp();

    /**
     * The file in the file system, with symbolic links resolved; null if it is not a file of its own, but for example
     * part of a JAR.
     */
    @Nullable
    Path file();

    /** Opens the content for reading from the beginning. */
    InputStream open() throws IOException;
}
