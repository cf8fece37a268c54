package io.millrace.io;

import java.io.IOException;

/** All buffers of the pool are in use. */
public final class BufferPoolExhaustedException extends IOException {

    private static final long serialVersionUID = 1L;

    BufferPoolExhaustedException(int buffers) {
        super("all " + buffers + " I/O buffers are in use; raise bufferPoolSize");
    }
}
