package io.millrace.servlet.resource;

import io.millrace.files.FileReply;
import io.millrace.files.StaticFiles;
import java.io.IOException;

/** A response that can send a file's bytes without copying them through the application. */
public interface FileSender {

    /**
     * Makes the reply's body the whole body of the response: it is sent when the response ends, after the servlet has
     * returned if need be. What is written afterwards is dropped.
     *
     * @param kernel may the kernel send it?
     * @return false, having done nothing, if bytes were written before, or the file must be copied
     */
    boolean sendFile(StaticFiles files, FileReply reply, boolean kernel) throws IOException;
}
