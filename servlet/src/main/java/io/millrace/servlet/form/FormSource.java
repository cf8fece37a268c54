package io.millrace.servlet.form;

import io.millrace.servlet.model.MultipartModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a {@link RequestForm} needs of its request. */
public interface FormSource {

    /** As sent; null if there is none. */
    @Nullable
    String query();

    /** May a request of its method have parameters in its body? */
    boolean takesForm();

    /** Of the query: UTF-8 unless configured otherwise. */
    Charset queryCharset();

    /** The Content-Type field, with parameters. */
    @Nullable
    String contentType();

    /** The request's character encoding if it was sent or set; null: ISO-8859-1, as Servlet 3.1, 3.11 has it. */
    @Nullable
    Charset bodyCharset();

    /** Bytes; -1 if unknown. */
    long contentLength();

    /** The body, blocking; null if the application has taken it as a stream or reader. Called at most once. */
    @Nullable
    InputStream body() throws IOException;

    /** The servlet's multipart-config; null: its multipart bodies are not parsed. */
    @Nullable
    MultipartModel multipart();

    /** The context's temporary directory: a multipart location is relative to it. */
    Path temporaryDirectory();
}
