package io.millrace.servlet.files;

import io.millrace.files.FileChangedException;
import io.millrace.files.FileReply;
import io.millrace.files.ServedFile;
import io.millrace.files.StaticFiles;
import io.millrace.http.Headers;
import io.millrace.servlet.request.HttpServletResponseImpl;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Sends a file as a servlet's response, through the application's wrappers. */
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

    /** Without a length, which is unknown before the characters are encoded. */
    private void describeText(int status) {
        fields();
        response.setStatus(status);
        String type = reply.contentType();
        if (reply.status() < 300 && !type.isEmpty() && (response.getContentType() == null || isOfRanges(type))) {
            response.setContentType(
                    type); // a type set by a filter or a forwarding servlet takes precedence, as in Tomcat
        }
    }

    /** True for the type that has the boundary of several ranges. */
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
     * Sends the file by the kernel or from the cache if there are no wrappers; otherwise copies it.
     *
     * @return false, with no effect, if the writer is in use, which supports neither ranges nor content codings
     * @throws FileChangedException if the file was replaced since it was found; the response is unchanged
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

    /** Sends the file through the writer. */
    void sendText(int status) throws IOException {
        describeText(status);
        copyText();
    }

    /** Copies the content, through the writer if the application or a filter uses it. */
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

    /** Reads files as characters. */
    private static final class FileText {

        private FileText() {}

        /**
         * Opens a file.
         *
         * @param encoding the default encoding
         * @param bom true if a byte order mark overrides the encoding
         */
        static Reader open(ServedFile file, Charset encoding, boolean bom) throws IOException {
            PushbackInputStream in = new PushbackInputStream(file.open(), 3);
            try {
                return new InputStreamReader(in, bom ? marked(in, encoding) : encoding);
            } catch (IOException e) {
                in.close();
                throw e;
            }
        }

        private static Charset marked(PushbackInputStream in, Charset otherwise) throws IOException {
            byte[] start = in.readNBytes(3);
            int first = start.length < 2 ? 0 : (start[0] & 0xff) << 8 | start[1] & 0xff;
            Charset encoding = otherwise;
            int mark = 0;
            if (first == 0xfeff || first == 0xfffe) {
                encoding = first == 0xfeff ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
                mark = 2;
            } else if (first == 0xefbb && start.length == 3 && (start[2] & 0xff) == 0xbf) {
                encoding = StandardCharsets.UTF_8;
                mark = 3;
            }
            in.unread(start, mark, start.length - mark);
            return encoding;
        }
    }
}
