package io.millrace.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Asked;
import io.millrace.handler.Responses;
import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The predicates of rules … (the client is 192.0.2.7, the host is localhost) */
class RulePredicatesTest {

    private static final NonBlockingHandler APPLICATION = exchange -> Responses.text(exchange, 200, "application");

    private static int status(String predicate, Asked asked) {
        return asked.of(Rules.parse(predicate + " -> response-code(418)").before(APPLICATION))
                .status();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "path(/a) | /a | 418",
                "path(/a, '/b') | /b | 418",
                "path({/a,/b}) | /b | 418",
                "path[/a] | /a | 418",
                "path(path=/a) | /a | 418",
                "path(/a) | /a/ | 200",
                "path-prefix(/a) | /a | 418",
                "path-prefix(/a) | /a/b | 418",
                "path-prefix(/a/) | /a/b | 418",
                "path-prefix(/a) | /ab | 200",
                "path-prefix(/) | /ab | 418",
                "path-suffix(.css, .js) | /x/a.js | 418",
                "path-suffix(.css) | /x/a.js | 200",
                "path-template('/a/{b}') | /a/1 | 418",
                "path-template('/a/{b}') | /a/1/2 | 200",
                "regex('/a.c') | /x/abc/y | 418",
                "regex(pattern='/a.c', full-match=true) | /x/abc/y | 200",
                "regex(pattern='/A.c', case-sensitive=false) | /abc | 418",
                "regex('^v', %{q,x}) | /?x=v1 | 418",
                "method(GET) | / | 418",
                "method(POST, PUT) | / | 200",
                "equals(%m, GET) | / | 418",
                "equals({%m, GET, GET}) | / | 418",
                "equals(%{i,X}, '') | / | 418",
                "equals(%p, 8080) | / | 418",
                "contains(value=%{q,x}, search={b,c}) | /?x=abc | 418",
                "contains(%{q,x}, z) | /?x=abc | 200",
                "exists(%{q,x}) | /?x=1 | 418",
                "exists(%{q,x}) | /?y=1 | 200",
                "secure | / | 200",
                "not secure | / | 418",
                "not not secure | / | 200",
                "max-content-size(0) | / | 418",
                "min-content-size(1) | / | 200",
                "remote(192.0.2.0/24) | / | 418",
                "remote(10.0.0.0/8, 192.0.2.8) | / | 200",
                "host(LOCALHOST) | / | 418",
                "host(*.localhost) | / | 200",
                "true and false | / | 200",
                "false or true | / | 418",
                "false and false or true | / | 418",
                "true or true and false | / | 418",
                "(true or true) and false | / | 200",
                "not (false or false) | / | 418",
            })
    void selectRequests(String predicate, String target, int expected) {
        assertEquals(expected, status(predicate, Asked.get(target)));
    }

    /** What a client may write for the path of a guard, all of which an application would take for it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin",
                "/admin/",
                "/%61dmin",
                "/admi%6E/x",
                "//admin",
                "/./admin",
                "/x/../admin",
                "/x/%2e%2e/admin",
                "/x/.%2E/admin/y",
                "/admin;jsessionid=1",
                "/admin;a=b/x",
                "/;x/admin",
                "/x;y/..;z/admin",
                "/admin/.",
                "/admin//",
                "/%2e/admin",
            })
    void cannotBePassedByAnotherSpellingOfAPath(String raw) {
        RequestPath path = RequestPath.parse(raw, EncodedSlash.REJECT);
        String decoded = path == null ? "rejected" : path.decoded();
        for (String predicate : new String[] {
            "path-prefix(/admin)",
            "regex('^/admin(/|$)')",
            "path-template('/admin/*')",
            "path(/admin, /admin/, /admin/x, /admin/y)"
        }) {
            assertEquals(418, status(predicate, Asked.get(decoded)), predicate + " " + decoded);
        }
    }
}
