package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.http.Headers;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.settings.FormLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates the parts that the parser reports, within the servlet's limits. */
final class PartCollector implements PartReceiver {

    /** The threshold of fields without file name, if larger than the configured one, so that small fields need no file. */
    private static final int FIELD_THRESHOLD = 16 * 1024;

    private final MultipartModel config;
    private final FormLimits limits;
    private final Path location;
    private final @Nullable Charset charset;
    private final List<UploadPart> parts = new ArrayList<>();
    private @Nullable UploadPart current;
    private long fieldBytes;

    /**
     * The collector of one request.
     *
     * @param charset the encoding of header fields; null: UTF-8, or ISO-8859-1 for a field that is not valid UTF-8
     */
    PartCollector(MultipartModel config, FormLimits limits, Path location, @Nullable Charset charset) {
        this.config = config;
        this.limits = limits;
        this.location = location;
        this.charset = charset;
    }

    /** The parts that have begun, in order. */
    List<UploadPart> parts() {
        return parts;
    }

    @Override
    public void begin(Headers received) {
        Headers headers = decode(received);
        String disposition = headers.get("Content-Disposition");
        HeaderParameters parameters = new HeaderParameters(disposition == null ? "" : disposition);
        String name = parameters.get("name");
        if (!parameters.value().equals("form-data") || name == null) {
            // invalid (RFC 7578, 4.2): skipped, as in Tomcat
            current = null;
            return;
        }
        String fileName = parameters.get("filename");
        int threshold = fileName == null
                ? Math.max(FIELD_THRESHOLD, config.fileSizeThreshold())
                : Math.max(0, config.fileSizeThreshold());
        current = new UploadPart(name, fileName, headers, new PartContent(location, threshold), location);
        parts.add(current);
    }

    @Override
    public void content(ByteBuffer bytes) throws IOException {
        if (current == null) {
            return;
        }
        int length = bytes.remaining();
        current.content().append(bytes);
        if (config.maxFileSize() >= 0 && current.getSize() > config.maxFileSize()) {
            throw new FormException(
                    413,
                    // Spring recognizes the exception by the words "size" and "exceed"
                    "Part \"" + current.getName() + "\" exceeds " + config.maxFileSize()
                            + " bytes: raise the servlet's max-file-size to accept it.");
        }
        if (current.getSubmittedFileName() == null) {
            countField(length);
        }
    }

    @Override
    public void finish() throws IOException {
        if (current != null) {
            current.content().complete();
        }
    }

    private void countField(int bytes) {
        fieldBytes += bytes;
        if (limits.maxPostSize() >= 0 && fieldBytes > limits.maxPostSize()) {
            throw new FormException(
                    413,
                    "The fields of a multipart form have more than " + limits.maxPostSize()
                            + " bytes: raise maxPostSize to accept them.");
        }
    }

    /** All fields, as in Tomcat: applications made for Servlet 3.0 parse file names themselves. */
    private Headers decode(Headers received) {
        Headers headers = new Headers();
        for (int i = 0; i < received.size(); i++) {
            headers.add(received.name(i), decode(received.value(i)));
        }
        return headers;
    }

    private String decode(String field) {
        byte[] bytes = field.getBytes(ISO_8859_1);
        try {
            return Objects.requireNonNullElse(charset, UTF_8)
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException otherwise) {
            return field;
        }
    }
}
