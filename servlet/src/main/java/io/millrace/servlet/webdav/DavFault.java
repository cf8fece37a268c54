package io.millrace.servlet.webdav;

import java.io.IOException;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** The rejection of a request: a client error, with a status and without stack trace. */
final class DavFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final @Nullable String condition;
    private final @Nullable String href;

    DavFault(int status) {
        this(status, null, null);
    }

    /**
     * With a precondition code (RFC 4918, 16) in the body.
     *
     * @param condition the name of an element in the namespace DAV:
     * @param href the URL of the resource that causes the rejection; null if the condition has none
     */
    DavFault(int status, @Nullable String condition, @Nullable String href) {
        super(String.valueOf(status), null, false, false);
        this.status = status;
        this.condition = condition;
        this.href = href;
    }

    int status() {
        return status;
    }

    void answer(HttpServletResponse response) throws IOException {
        if (condition == null) {
            response.sendError(status);
            return;
        }
        String content = href == null ? "" : MultiStatus.href(href);
        MultiStatus.element(response, status, "error", "<D:" + condition + ">" + content + "</D:" + condition + ">");
    }
}
