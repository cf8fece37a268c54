package io.millrace.servlet.resource;

import io.millrace.files.ServedFile;
import java.net.URL;

/** A file or directory of a web application, as it was when looked up. */
public interface Resource extends ServedFile {

    URL url();
}
