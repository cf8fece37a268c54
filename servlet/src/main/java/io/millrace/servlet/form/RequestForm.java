package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.protocol.ProtocolException;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.settings.FormLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.http.Part;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The parameters and parts of a request, parsed at the first call: the query string, then a form body or the fields of a
 * multipart body (Servlet 3.1, 3.1 and 3.2). That call blocks until the body has been read. Not thread-safe.
 */
public final class RequestForm {

    private static final Logger LOG = Logger.getLogger(RequestForm.class);
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data";

    private final FormSource source;
    private final FormLimits limits;
    private @Nullable Parameters parameters;
    private List<UploadPart> parts = List.of();
    /** Whether a multipart body was left unread, as no servlet so far has a multipart-config. */
    private boolean unread;
    /** Why the parts could not be read: a FormException or an IOException. */
    private @Nullable Exception failure;

    public RequestForm(FormSource source, FormLimits limits) {
        this.source = source;
        this.limits = limits;
    }

    /**
     * Returns the parameters of the query string and the body. If they cannot all be read, only the first call of this method or of
     * {@link #parts} throws; later calls return what was read, without any of the body if that is what failed, so that an error page may
     * ask for parameters.
     *
     * @throws FormException if a limit is exceeded or the body is malformed
     * @throws UncheckedIOException if reading the body fails
     */
    public Parameters parameters() {
        Parameters known = parameters;
        if (known != null && !isDue()) {
            return known;
        }
        try {
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the parts in order. If they cannot be read, every call throws.
     *
     * @throws ServletException if the request is not multipart/form-data
     * @throws IllegalStateException if the servlet has no multipart-config
     * @throws FormException if a limit is exceeded
     * @throws ProtocolException if the body is malformed
     * @throws IOException if reading the body or writing a part to disk fails
     */
    public Collection<Part> parts() throws IOException, ServletException {
        String type = source.contentType();
        if (type == null || !new HeaderParameters(type).value().equals(MULTIPART)) {
            throw new ServletException("The request's Content-Type is " + type + ", not " + MULTIPART + ".");
        }
        if (source.multipart() == null) {
            throw new IllegalStateException(
                    "The servlet has no multipart-config: add @MultipartConfig, or multipart-config in web.xml.");
        }
        readParts();
        return List.copyOf(parts);
    }

    /** Returns what the first call of {@link #parameters} or {@link #parts} threw if it was a FormException; null otherwise. */
    public @Nullable FormException refusal() {
        return failure instanceof FormException refused ? refused : null;
    }

    /** Returns the first part of a name; null if there is none. Throws the same exceptions as {@link #parts}. */
    public @Nullable Part part(String name) throws IOException, ServletException {
        for (Part part : parts()) {
            if (part.getName().equals(name)) {
                return part;
            }
        }
        return null;
    }

    /** Deletes the temporary files of parts that the application has not moved. Called at the end of every request. */
    public void close() {
        try {
            MultipartBody.delete(parts);
        } catch (IOException e) {
            LOG.debugf(e, "failed to delete a part's temporary file");
        }
        parts = List.of();
    }

    /** Converts the exception, as IllegalStateException is specified only for limits (Servlet 3.1, HttpServletRequest.getParts). */
    private void readParts() throws IOException {
        try {
            if (failure instanceof IOException broken) {
                throw broken;
            }
            if (failure instanceof FormException refused) {
                throw refused;
            }
            if (parameters == null || isDue()) {
                read();
            }
        } catch (FormException e) {
            if (e.isMalformed()) {
                throw ProtocolException.explained(e.status(), e.getMessage());
            }
            throw e;
        }
    }

    /** Whether a multipart body was left unread, and the servlet of a dispatch has the multipart-config to read it. */
    private boolean isDue() {
        return unread && source.multipart() != null;
    }

    private Parameters read() throws IOException {
        Parameters all = new Parameters(limits);
        parameters = all;
        try {
            String query = source.query();
            if (query != null) {
                all.addEncoded(query, source.queryCharset());
            }
            String type = source.contentType();
            if (type != null) {
                addBody(new HeaderParameters(type), all);
            }
            return all;
        } catch (FormException | IOException e) {
            failure = e;
            throw e;
        }
    }

    private void addBody(HeaderParameters type, Parameters all) throws IOException {
        MultipartModel multipart = source.multipart();
        unread = type.value().equals(MULTIPART) && multipart == null;
        if (type.value().equals(FORM) && source.takesForm()) {
            InputStream body = source.body();
            if (body != null) {
                String text = new FormBody(body, source.contentLength(), limits.maxPostSize()).read();
                all.addEncoded(text, bodyCharset());
            }
        } else if (type.value().equals(MULTIPART) && multipart != null) {
            InputStream body = source.body();
            if (body != null) {
                parts = new MultipartBody(
                                body, type, multipart, limits, source.temporaryDirectory(), source.bodyCharset())
                        .read(source.contentLength());
                addFields(all);
            }
        }
    }

    /** Parts without a file name are parameters too (Servlet 3.1, 3.2). */
    private void addFields(Parameters all) throws IOException {
        Charset otherwise = bodyCharset(); // once, as it parses the Content-Type
        for (UploadPart part : parts) {
            if (part.getSubmittedFileName() == null) {
                all.add(part.getName(), new String(part.content().bytes(), charsetOf(part, otherwise)));
            }
        }
    }

    private static Charset charsetOf(UploadPart part, Charset otherwise) {
        String type = part.getContentType();
        String name = type == null ? null : new HeaderParameters(type).get("charset");
        try {
            return name == null ? otherwise : Charset.forName(name);
        } catch (IllegalArgumentException unknown) {
            return otherwise;
        }
    }

    /** The encoding of the body; ISO-8859-1 if neither the request nor the application sets it (Servlet 3.1, 3.11). */
    private Charset bodyCharset() {
        return Objects.requireNonNullElse(source.bodyCharset(), ISO_8859_1);
    }

    /** Reads an entire {@code application/x-www-form-urlencoded} body, within {@link FormLimits#maxPostSize}. */
    private static final class FormBody {

        private final InputStream body;
        private final long length;
        private final long limit;

        /**
         * The body of one request.
         *
         * @param length the Content-Length; -1 if unknown
         */
        FormBody(InputStream body, long length, long limit) {
            this.body = body;
            this.length = length;
            this.limit = limit;
        }

        /** Reads the body, with one char per byte. */
        String read() throws IOException {
            check(length);
            if (length >= 0 && length <= Integer.MAX_VALUE - 8) {
                return new String(body.readNBytes((int) length), ISO_8859_1);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] piece = new byte[8 * 1024];
            for (int n = body.read(piece); n >= 0; n = body.read(piece)) {
                bytes.write(piece, 0, n);
                check(bytes.size());
            }
            return bytes.toString(ISO_8859_1);
        }

        private void check(long bytes) {
            if (limit >= 0 && bytes > limit) {
                throw new FormException(
                        413,
                        "The form has " + (length >= 0 ? length + " bytes, more than " : "more than ") + limit
                                + ": raise maxPostSize to accept it.");
            }
        }
    }

    /** Reads a multipart body into parts. */
    static final class MultipartBody {

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
}
