package io.millrace.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file or directory that can be served, as it was when it was looked up. Immutable. */
public interface ServedFile {

    /** The last segment of its path; its extension decides the content type. */
    String name();

    boolean isDirectory();

    /** Bytes. */
    long length();

    /** Milliseconds since 1970. */
    long lastModified();

    /** What is known of its content without reading it: equal as long as that stays the same. */
    Object stamp();

    /** Where it lies as a file of its own, symbolic links resolved; null if it is part of something, a jar for one. */
    @Nullable
    Path file();

    /** Its content from the beginning. */
    InputStream open() throws IOException;
}
