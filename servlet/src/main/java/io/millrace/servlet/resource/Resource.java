package io.millrace.servlet.resource;

import io.millrace.files.ServedFile;
import java.net.URL;

/** A file or directory of a web application, with its attributes at the time of the lookup. */
public interface Resource extends ServedFile {

    /** The URL of the file, the directory or the jar entry, for {@code ServletContext.getResource}. */
    URL url();
}
