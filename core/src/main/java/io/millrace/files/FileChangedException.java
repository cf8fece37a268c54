package io.millrace.files;

import java.io.IOException;

/** A file changed between its lookup and its opening; the caller should look it up again. */
public final class FileChangedException extends IOException {

    private static final long serialVersionUID = 1L;

    FileChangedException(String name) {
        super(name + " changed while it was being opened");
    }
}
