package io.millrace.files;

import java.io.IOException;

/** A file is not what it was a moment ago, when it was looked up: look again. */
public final class FileChangedException extends IOException {

    private static final long serialVersionUID = 1L;

    FileChangedException(String name) {
        super(name + " changed while it was being opened");
    }
}
