package io.millrace.servlet.resource;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file or directory of a web application, as it was when looked up. */
public interface Resource {

    /** The last segment of its path. */
    String name();

    boolean isDirectory();

    /** Bytes. */
    long length();

    /** Milliseconds since 1970. */
    long lastModified();

    InputStream open() throws IOException;

    /** Where it lies as a file of its own, symbolic links resolved; null inside a jar. */
    @Nullable
    Path file();

    URL url();
}
