package io.millrace.rules;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.RequestHead;
import io.millrace.http.UrlEncoded;
import io.millrace.rewrite.BoundedText;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application of rules to one request. Confined to the owner of the exchange.
 *
 * @param contextPath decoded, of the rules' application; empty for rules of a whole site
 * @param found what predicates have found, by name
 * @param budget limits the work of all regular expressions
 */
record RuleRun(HttpExchange exchange, String contextPath, Map<String, String> found, BoundedText.Budget budget) {

    static RuleRun of(HttpExchange exchange, String contextPath) {
        return new RuleRun(exchange, contextPath, new HashMap<>(), new BoundedText.Budget());
    }

    RequestHead request() {
        return exchange.request();
    }

    /** The decoded and normalized path below the context path: the one origin of paths for all predicates. */
    String path() {
        String decoded = request().path().decoded();
        String below = decoded.startsWith(contextPath) ? decoded.substring(contextPath.length()) : decoded;
        return below.isEmpty() ? "/" : below;
    }

    /** The first parameter of a name in the query; null if there is none. */
    @Nullable
    String parameter(String name) {
        String query = request().query();
        if (query == null) {
            return null;
        }
        String[] value = {null};
        new UrlEncoded(query, StandardCharsets.UTF_8).forEach((each, text) -> {
            if (value[0] == null && each.equals(name)) {
                value[0] = text;
            }
        });
        return value[0];
    }
}
