package io.millrace.rewrite;

import io.millrace.http.EncodedSlash;
import io.millrace.http.PercentEncoding;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import org.jspecify.annotations.Nullable;

/** Makes the head of a request whose path, query or host rules have changed. */
public final class RewrittenRequest {

    private RewrittenRequest() {}

    /**
     * The head with another path, which is parsed like one from a client, so that no rule gets past what is checked by the path.
     *
     * @param contextPath decoded, of the rules' application, below which the path must stay; empty for a whole site
     * @param rawPath below the context path, encoded
     * @param query null for none
     * @return null if the result is not a path of the application
     */
    public static @Nullable RequestHead of(
            RequestHead before,
            String contextPath,
            String rawPath,
            @Nullable String query,
            @Nullable String authority) {
        String raw = PercentEncoding.encode(contextPath) + rawPath;
        RequestPath path = RequestPath.parse(raw, EncodedSlash.REJECT);
        if (path == null || !path.decoded().startsWith(contextPath.isEmpty() ? "/" : contextPath)) {
            return null;
        }
        if (!contextPath.isEmpty()
                && path.decoded().length() > contextPath.length()
                && path.decoded().charAt(contextPath.length()) != '/') {
            return null;
        }
        return new RequestHead(
                before.method(),
                query == null ? raw : raw + "?" + query,
                path,
                query,
                before.version(),
                before.scheme(),
                authority,
                before.headers(),
                before.contentLength());
    }
}
