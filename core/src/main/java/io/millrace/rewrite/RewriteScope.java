package io.millrace.rewrite;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.PercentEncoding;
import java.util.HashMap;
import java.util.Map;

/**
 * The request to which rules are applied. Not thread-safe.
 *
 * @param contextPath decoded, of the rules' application; empty for rules of a whole site
 * @param environment the attributes set by the flag E
 * @param budget limits the work of matching, which runs on I/O threads
 */
record RewriteScope(
        HttpExchange exchange,
        String contextPath,
        RewriteFiles files,
        Map<String, String> environment,
        BoundedText.Budget budget) {

    static RewriteScope of(HttpExchange exchange, String contextPath, RewriteFiles files) {
        return new RewriteScope(exchange, contextPath, files, new HashMap<>(), new BoundedText.Budget());
    }

    /** The context path as it is written into URLs. */
    String escapedContextPath() {
        return PercentEncoding.encode(contextPath);
    }

    /** The decoded path below the context path. */
    String path() {
        String decoded = exchange.request().path().decoded();
        String below = decoded.startsWith(contextPath) ? decoded.substring(contextPath.length()) : decoded;
        return below.isEmpty() ? "/" : below;
    }
}
