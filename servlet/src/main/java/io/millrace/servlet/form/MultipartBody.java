package io.millrace.servlet.form;

import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.settings.FormLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a multipart body into parts. */
final class MultipartBody {

    private final InputStream body;
    private final MultipartModel config;
    private final FormLimits limits;
    private final PartCollector collector;
    private final MultipartParser parser;

    MultipartBody(
            InputStream body,
            HeaderParameters contentType,
            MultipartModel config,
            FormLimits limits,
            Path temporaryDirectory,
            @Nullable Charset charset) {
        String boundary = contentType.get("boundary");
        if (boundary == null) {
            throw FormException.malformed(
                    "The request's Content-Type is multipart/form-data without a boundary parameter.");
        }
        this.body = body;
        this.config = config;
        this.limits = limits;
        Path location = temporaryDirectory.resolve(config.location());
        collector = new PartCollector(config, limits, location, charset);
        parser = new MultipartParser(boundary, this.limits, collector);
    }

    /** Reads all parts. On failure, no part stays on disk. */
    List<UploadPart> read(long announced) throws IOException {
        boolean complete = false;
        try {
            check(announced);
            byte[] piece = new byte[16 * 1024];
            long total = 0;
            for (int n = body.read(piece); n >= 0; n = body.read(piece)) {
                total += n;
                check(total);
                parser.feed(ByteBuffer.wrap(piece, 0, n));
            }
            parser.end();
            complete = true;
            return collector.parts();
        } finally {
            if (!complete) {
                delete(collector.parts());
            }
        }
    }

    /** Deletes all parts, even if deleting one of them fails. */
    static void delete(List<UploadPart> parts) throws IOException {
        IOException failure = null;
        for (UploadPart part : parts) {
            try {
                part.delete();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void check(long bytes) {
        if (config.maxRequestSize() >= 0 && bytes > config.maxRequestSize()) {
            throw new FormException(
                    413,
                    // Spring recognizes the exception by the words "size" and "exceed"
                    "The multipart body, of " + bytes + " bytes or more, exceeds the " + config.maxRequestSize()
                            + " that the servlet accepts: raise its max-request-size to accept it.");
        }
    }
}
