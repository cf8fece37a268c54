package io.millrace.rewrite;

import io.millrace.exchange.HttpExchange;
import java.util.HashMap;
import java.util.Map;

/**
 * What rules know of one request. For one thread at a time.
 *
 * @param contextPath of the application that the rules belong to; empty for those of a whole site
 * @param environment what the flag E has set
 * @param budget how often patterns may still look at a character: matching runs on I/O threads
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

    /** The decoded path below the context path. */
    String path() {
        String decoded = exchange.request().path().decoded();
        String below = decoded.startsWith(contextPath) ? decoded.substring(contextPath.length()) : decoded;
        return below.isEmpty() ? "/" : below;
    }
}
