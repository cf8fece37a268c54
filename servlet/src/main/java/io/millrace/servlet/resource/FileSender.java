package io.millrace.servlet.resource;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** A response that can send a piece of a file without copying it through the application. */
public interface FileSender {

    /**
     * Takes the file over: sends the piece as the rest of the body, after the servlet has returned if need be, and closes
     * it, whatever happens. Nothing may be written to the response after that.
     *
     * @return false, having done nothing, if bytes were written before, or something wraps the output
     */
    boolean sendFile(FileChannel file, long position, long length) throws IOException;
}
