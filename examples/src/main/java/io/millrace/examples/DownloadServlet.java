package io.millrace.examples;

import java.io.IOException;
import java.io.OutputStream;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A dynamic response of {@code ?size=} bytes in writes of 32 KiB; {@code &length} sends a Content-Length. */
@WebServlet("/download")
public class DownloadServlet extends HttpServlet {

    private static final int BLOCK = 32 * 1024;
    private static final long DEFAULT_SIZE = 700_000_000;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long size = Parameters.number(request, "size", DEFAULT_SIZE);
        response.setContentType("application/octet-stream");
        if (request.getParameter("length") != null) {
            response.setContentLengthLong(size);
        }
        byte[] block = new byte[BLOCK];
        OutputStream out = response.getOutputStream();
        for (long left = size; left > 0; left -= BLOCK) {
            out.write(block, 0, (int) Math.min(BLOCK, left));
        }
    }
}
