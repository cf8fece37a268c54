package io.millrace.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.servlet.ServletException;
import javax.servlet.annotation.MultipartConfig;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.Part;

/** Receives files in a multipart form. Parts over 1 MiB are buffered on disk and deleted afterwards. */
@WebServlet("/upload")
@MultipartConfig(fileSizeThreshold = 1 << 20, maxFileSize = 1L << 30, maxRequestSize = (1L << 30) + (1 << 20))
public class UploadServlet extends HttpServlet {

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        response.setContentType("text/plain;charset=UTF-8");
        for (Part part : request.getParts()) {
            response.getWriter()
                    .printf(
                            "part=%s file=%s size=%d sha256=%s%n",
                            part.getName(), part.getSubmittedFileName(), part.getSize(), sha256(part));
            part.delete();
        }
    }

    private static String sha256(Part part) throws IOException {
        MessageDigest digest = newDigest();
        try (InputStream in = new DigestInputStream(part.getInputStream(), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing, which every Java platform must support", e);
        }
    }
}
