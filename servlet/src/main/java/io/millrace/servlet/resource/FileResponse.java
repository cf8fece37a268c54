package io.millrace.servlet.resource;

import io.millrace.files.FileChangedException;
import io.millrace.files.FileReply;
import io.millrace.files.StaticFiles;
import io.millrace.http.Headers;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import javax.servlet.http.HttpServletResponse;

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
        fields();
        response.setStatus(status);
        if (reply.status() < 300) {
            if (!reply.contentType().isEmpty()) {
                response.setContentType(reply.contentType());
            }
            response.setContentLengthLong(reply.contentLength());
        }
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
     * @throws FileChangedException if the file was replaced since it was found; the response knows nothing of it yet
     */
    void send(StaticFiles files, int status) throws IOException {
        boolean kernel = settings.isForKernel(reply.contentLength());
        boolean attached = response instanceof FileSender sender && sender.sendFile(files, reply, kernel);
        describe(status);
        if (!attached) {
            copy();
        }
    }

    /** Through the writer if the application, or a filter, has taken that. */
    void copy() throws IOException {
        OutputStream out;
        try {
            out = response.getOutputStream();
        } catch (IllegalStateException writerTaken) {
            try (Reader in = FileText.open(reply.file(), settings.fileEncoding(), settings.bom())) {
                in.transferTo(response.getWriter());
            }
            return;
        }
        reply.writeTo(out);
    }
}
