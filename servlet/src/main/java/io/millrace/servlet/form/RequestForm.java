package io.millrace.servlet.form;

import java.io.IOException;
import java.util.Collection;
import javax.servlet.ServletException;
import javax.servlet.http.Part;

/**
 * Parameters and parts of one request, read when first asked for: query, then form body or multipart fields (Servlet 3.1,
 * 3.1 and 3.2). Reading the body blocks. Not for two threads at once.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class RequestForm {

    public RequestForm(FormSource source, FormLimits limits) {}

    /**
     * Query and body.
     *
     * @throws FormException if a limit is passed or the body is malformed; the same one again at the next call
     * @throws java.io.UncheckedIOException if the body can't be read
     */
    public Parameters parameters() {
        throw new UnsupportedOperationException();
    }

    /**
     * The parts, in order.
     *
     * @throws ServletException if the request is not multipart/form-data
     * @throws IllegalStateException if the servlet has no multipart-config
     * @throws FormException if a limit is passed or the body is malformed
     */
    public Collection<Part> parts() throws IOException, ServletException {
        throw new UnsupportedOperationException();
    }

    /** Deletes the parts' files that were not moved. At the end of every request; cheap if there are none. */
    public void close() {
        throw new UnsupportedOperationException();
    }
}
