package io.millrace.servlet.files;

import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Locks that WebDAV clients hold on an application's files (RFC 4918, 6): asked before the default servlet changes one. Any thread. */
public interface WriteLocks {

    /**
     * Whether locks, or the conditions of the request's If field (RFC 4918, 10.4), keep it from changing a file. If so it has been answered.
     *
     * @param files the servlet that asks
     * @param path of the file, below the application; decoded
     */
    boolean refuse(StaticServlet files, String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException;

    /** A file was deleted: its locks and properties end with it. */
    void deleted(String path, HttpServletRequest request) throws IOException;
}
