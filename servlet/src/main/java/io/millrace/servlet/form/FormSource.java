package io.millrace.servlet.form;

import io.millrace.servlet.model.MultipartModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The request of a {@link RequestForm}. */
public interface FormSource {

    /** The query string as it was sent, without the question mark; null if there is none. */
    @Nullable
    String query();

    /** Whether a request with this method may have parameters in its body ({@code parseBodyMethods}). */
    boolean takesForm();

    /** The character encoding of the query string: UTF-8 unless configured otherwise. */
    Charset queryCharset();

    /** The Content-Type field with its parameters; null if there is none. */
    @Nullable
    String contentType();

    /** The character encoding that the request names or the application set; null: ISO-8859-1 (Servlet 3.1, 3.11). */
    @Nullable
    Charset bodyCharset();

    /** The length of the body in bytes; -1 if unknown. */
    long contentLength();

    /** The body as a blocking stream; null if the application reads it itself. Called at most once. */
    @Nullable
    InputStream body() throws IOException;

    /** The servlet's multipart-config; null: multipart bodies are not parsed. */
    @Nullable
    MultipartModel multipart();

    /** The context's temporary directory, to which the location of a multipart-config is relative. */
    Path temporaryDirectory();
}
