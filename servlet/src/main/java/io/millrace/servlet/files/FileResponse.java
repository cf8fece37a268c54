package io.millrace.servlet.files;

import io.millrace.files.FileChangedException;
import io.millrace.files.FileReply;
import io.millrace.files.StaticFiles;
import io.millrace.http.Headers;
import io.millrace.servlet.request.HttpServletResponseImpl;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** A file as a servlet's response: through the application's wrappers, if there are any. */
final class FileResponse {

    private final FileReply reply;
    private final HttpServletResponse response;
    private final DefaultServletSettings settings;

    FileResponse(FileReply reply, HttpServletResponse response, DefaultServletSettings settings) {
        this.reply = reply;
        this.response = response;
        this.settings = settings;
    }

    void refuse() throws IOException {
        fields();
        response.sendError(reply.status());
    }

    void describe(int status) {
        describeText(status);
        if (reply.status() < 300) {
            response.setContentLengthLong(reply.contentLength());
        }
    }

    /** Without a length: the number of bytes is not known before the characters are encoded. */
    private void describeText(int status) {
        fields();
        response.setStatus(status);
        String type = reply.contentType();
        if (reply.status() < 300 && !type.isEmpty() && (response.getContentType() == null || isOfRanges(type))) {
            response.setContentType(type); // one that a filter or a forwarding servlet has set stays, as in Tomcat
        }
    }

    /** Whether only this type says where each of several ranges ends. */
    private static boolean isOfRanges(String type) {
        return type.startsWith("multipart/byteranges");
    }

    private void fields() {
        Headers fields = new Headers();
        reply.describe(fields);
        for (int i = 0; i < fields.size(); i++) {
            if (fields.name(i).equals("Vary")) {
                response.addHeader(fields.name(i), fields.value(i));
            } else {
                response.setHeader(fields.name(i), fields.value(i));
            }
        }
    }

    /**
     * By the kernel or out of the cache, if nothing stands between; copied otherwise.
     *
     * @return false, having done nothing, if the writer is taken, which takes neither pieces nor other codings
     * @throws FileChangedException if the file was replaced since it was found; the response knows nothing of it yet
     */
    boolean send(StaticFiles files, int status) throws IOException {
        boolean kernel = settings.isForKernel(reply.contentLength());
        boolean attached = response instanceof HttpServletResponseImpl own && own.sendFile(files, reply, kernel);
        OutputStream out = attached ? null : stream();
        if (!attached && out == null) {
            return false;
        }
        describe(status);
        if (out != null) {
            reply.writeTo(out);
        }
        return true;
    }

    /** The same through the writer. */
    void sendText(int status) throws IOException {
        describeText(status);
        copyText();
    }

    /** Through the writer if the application, or a filter, has taken that. */
    void copy() throws IOException {
        OutputStream out = stream();
        if (out == null) {
            copyText();
        } else {
            reply.writeTo(out);
        }
    }

    private @Nullable OutputStream stream() throws IOException {
        try {
            return response.getOutputStream();
        } catch (IllegalStateException writerTaken) {
            return null;
        }
    }

    private void copyText() throws IOException {
        try (Reader in = FileText.open(reply.file(), settings.fileEncoding(), settings.bom())) {
            in.transferTo(response.getWriter());
        }
    }
}
