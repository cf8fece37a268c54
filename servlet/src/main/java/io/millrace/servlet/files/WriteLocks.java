package io.millrace.servlet.files;

import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Locks of WebDAV clients on an application's files (RFC 4918, 6), which the default servlet checks before it changes a file.
 * Thread-safe.
 */
public interface WriteLocks {

    /**
     * Whether locks, or the request's If field (RFC 4918, 10.4), prevent the change of a file: then the response has been sent.
     *
     * @param files the calling servlet
     * @param path the file's decoded path, below the context path
     */
    boolean refuse(StaticServlet files, String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException;

    /** Removes the locks and properties of a deleted file. */
    void deleted(String path, HttpServletRequest request) throws IOException;
}
