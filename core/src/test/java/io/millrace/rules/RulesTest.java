package io.millrace.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.OwnFields;
import io.millrace.fuzz.Growth;
import io.millrace.fuzz.Mutations;
import io.millrace.handler.Asked;
import io.millrace.handler.BasicAuthentication;
import io.millrace.handler.MemoryStream;
import io.millrace.handler.PresetAttributes;
import io.millrace.handler.Responses;
import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules … (the client is 192.0.2.7, the host is localhost) */
class RulesTest {

    private static final NonBlockingHandler APPLICATION = exchange -> Responses.text(exchange, 200, seen(exchange));

    private static String seen(HttpExchange exchange) {
        PresetAttributes preset = exchange.attributes().get(PresetAttributes.KEY);
        String query = exchange.request().query();
        return exchange.request().path().decoded()
                + (query == null ? "" : "?" + query)
                + (preset == null ? "" : preset.values().toString());
    }

    private static MemoryStream ask(String rules, Asked asked) {
        return asked.of(Rules.parse(rules).before(APPLICATION));
    }

    private static MemoryStream ask(String rules, String target) {
        return ask(rules, Asked.get(target));
    }

    @Test
    void areAppliedInOrderUntilOneAnswers() {
        String rules = """
                # comments, empty lines

                header(X-A, 1)
                path(/a) -> header(X-B, '2 ; # %% ${no}')   # not in quotes
                path(/stop) -> { header(X-C, 3)
                    done }
                header(X-D, 4)
                path(/a) -> response-code(410) else header(X-E, 5)
                """;
        MemoryStream gone = ask(rules, "/a");
        assertEquals(410, gone.status());
        assertEquals("2 ; # % ", gone.header("X-B"));
        assertEquals("4", gone.header("X-D"));
        assertNull(gone.header("X-C"));
        MemoryStream stopped = ask(rules, "/stop");
        assertEquals("3", stopped.header("X-C"));
        assertNull(stopped.header("X-D"));
        assertEquals("5", ask(rules, "/b").header("X-E"));
    }

    @Test
    void rewriteLikeAClientThatSendsTheResult() {
        assertEquals(
                "/new/1?a=b",
                ask("regex('^/old/(.*)') -> rewrite('/new/${1}')", "/old/1?a=b").body());
        assertEquals("/n?x=1", ask("path(/o) -> rewrite('/n?x=1')", "/o?a=b").body());
        assertEquals("/n/?", ask("rewrite('/n/${0}')", "/").body().replace("/n/", "/n/?"));
        assertEquals(
                "/b",
                ask("path(/a) -> { rewrite(/b); restart }\npath(/b) -> header(X, 1)", "/a")
                        .body());
        assertEquals(
                "1",
                ask("path(/a) -> { rewrite(/b); restart }\npath(/b) -> header(X, 1)", "/a")
                        .header("X"));
        assertEquals(500, ask("restart", "/").status());
        assertEquals(400, ask("rewrite('/../x')", "/").status());
    }

    @Test
    void letNoClientBeginAQueryOrLeaveTheApplication() {
        RequestPath path = RequestPath.parse("/old/a%3Fb%23c%253f", EncodedSlash.REJECT);
        assertEquals("/old/a?b#c%3f", path == null ? null : path.decoded());
        MemoryStream answer = ask("regex('^/old/(.*)') -> rewrite('/new/${1}')", "/old/a?b");
        assertEquals("/new/a?b", answer.body());
        MemoryStream outside = Asked.get("/shop/x")
                .of(Rules.parse("rewrite('/../other')").below("/shop").before(APPLICATION));
        assertEquals(400, outside.status());
        assertEquals(
                "/shop/y",
                Asked.get("/shop/x")
                        .of(Rules.parse("path(/x) -> rewrite(/y)")
                                .below("/shop")
                                .before(APPLICATION))
                        .body());
    }

    @ParameterizedTest
    @CsvSource({
        "redirect('/b%q'), /a?x=1, /b?x=1",
        "redirect('%R'), //evil.example/x, /evil.example/x",
        "redirect('%U'), //evil.example/x, /evil.example/x",
        "'redirect(''https://%{i,Host}%U%q'', status=308)', /a?b, https://h%U",
        "redirect('%{SCHEME}://h.example%U'), /a, http://h.example%U",
        "redirect('https://h.example:%p/x'), /a, https://h.example:8080/x",
        "'redirect(''%{q,next}'')', /login?next=https://evil.example/, /https://evil.example/",
        "'redirect(''%{q,next}'')', /login?next=/home, /home",
        "regex('^/go(.*)$') -> redirect('https://h.example${1}'), /go@evil.example/, https://h.example/@evil.example/",
        "regex('^/go(.*)$') -> redirect('https://h.example${1}'), /go.evil.example, https://h.example/.evil.example",
        "regex('^/go(.*)$') -> redirect('//h.example${1}'), /go.evil.example, /h.example/.evil.example",
        "regex('^/go(.*)$') -> redirect('https://h.example${1}'), /go/on, https://h.example/on",
        "regex('^/go/(.*)$') -> redirect('${1}'), /go/https://evil.example/, /https://evil.example/",
    })
    void redirectNowhereElse(String rule, String target, String location) {
        MemoryStream answer = ask(rule, Asked.get(target).header("Host", "h"));
        String expected = location.replace("%U", target);
        assertEquals(expected, answer.header("Location"));
        assertEquals(rule.contains("308") ? 308 : 302, answer.status());
    }

    @Test
    void setAndClearFieldsAndAttributes() {
        MemoryStream answer = ask(
                "set('%{r,name}', '%m ${x}|')\nset(attribute='%{i,Y}', value=1)\nset(attribute='%{o,Z}', value='%{i,Y}')"
                        + "\nclear('%{i,Y}')\nset('%{o,W}', '%{i,Y}.')",
                "/");
        assertEquals("/{name=GET |}", answer.body());
        assertEquals("1", answer.header("Z"));
        assertEquals(".", answer.header("W"));
    }

    @Test
    void setFieldsThatClientsCannotMakeAProxyDrop() {
        MemoryStream answer = ask(
                "set('%{i,X-Role}', guest)\nset('%{o,W}', '%{i,Connection}')\nset('%{o,Z}', '%{i,X-Role}')",
                Asked.get("/").header("Connection", "close, x-role").header("Connection", "X-Other,X-ROLE"));
        assertEquals("close, X-Other", answer.header("W"));
        assertEquals("guest", answer.header("Z"));
    }

    @Test
    void decideOnFieldsThatClientsCannotSendLater() {
        List<Boolean> decided = new ArrayList<>();
        Rules rules = Rules.parse("set('%{i,X-Role}', guest)\nclear('%{i,X-User}')");
        MemoryStream answer = Asked.get("/").of(rules.before(exchange -> {
            for (String name : List.of("x_role", "X.Role", "X-USER", "X-Other")) {
                decided.add(OwnFields.contain(exchange, name));
            }
            Responses.text(exchange, 200, "seen");
        }));
        assertEquals(200, answer.status());
        assertEquals(List.of(true, true, true, false), decided);
    }

    @Test
    void guardByTheHandlersThatProgramsUse(@TempDir Path directory) throws IOException {
        assertEquals(405, ask("allowed-methods(POST)", "/").status());
        assertEquals(
                403,
                ask("ip-access-control('192.0.2.0/24 deny', default-allow=true)", "/")
                        .status());
        assertEquals(
                404,
                ask("ip-access-control(acl={'192.0.2.7 deny','192.0.2.0/24 allow'}, failure-status=404)", "/")
                        .status());
        assertEquals(
                200,
                ask("ip-access-control('192.0.2.7 allow', '0.0.0.0/0 deny')", "/")
                        .status());
        assertEquals(403, ask("ip-access-control('10.0.0.0/8 allow')", "/").status());
        assertEquals(
                403,
                ask("cors(https://a.example)", Asked.get("/").header("Origin", "https://b.example"))
                        .status());
        assertEquals("SAMEORIGIN", ask("security-headers", "/").header("X-Frame-Options"));
        assertEquals(
                "default-src 'self'",
                ask("security-headers(\"default-src 'self'\")", "/").header("Content-Security-Policy"));
        assertTrue(String.valueOf(ask("request-id", "/").header("X-Request-Id")).length() > 10);
        Rules limited = Rules.parse(
                "rate-limit(1/10m)\nconcurrency-limit(10, queue=5, deadline=1s)\ntimeout(30s)\ncompress\ndump");
        assertEquals(200, Asked.get("/").of(limited.before(APPLICATION)).status());
        assertEquals(429, Asked.get("/").of(limited.before(APPLICATION)).status());
        Files.writeString(directory.resolve("a.txt"), "file");
        RuleSetup setup = RuleSetup.DEFAULTS
                .withDirectory(directory)
                .withUsers((name, password) ->
                        password.equals("p") ? new BasicAuthentication.User(name, Set.of("r")) : null);
        Rules files = Rules.parse("path-prefix(/f) -> files('.', prefix=/f)\nbasic-auth(Shop, roles=r)", setup);
        assertEquals("file", Asked.get("/f/a.txt").of(files.before(APPLICATION)).body());
        MemoryStream asked = Asked.get("/x").of(files.before(APPLICATION));
        assertEquals(401, asked.status());
        assertEquals("Basic realm=\"Shop\", charset=\"UTF-8\"", asked.header("WWW-Authenticate"));
        assertEquals(
                "/x",
                Asked.get("/x")
                        .header("Authorization", "Basic YTpw")
                        .of(files.before(APPLICATION))
                        .body());
    }

    @Test
    void areAppliedToTheServerAsAWholeToo() {
        assertEquals(403, ask("response-code(403)", Asked.with("OPTIONS", "*")).status());
        assertEquals(
                "*",
                ask("path-prefix(/) -> response-code(403)\nrewrite(/x)", Asked.with("OPTIONS", "*"))
                        .body());
    }

    @Test
    void refuseARequestOnWhichAPatternTakesTooLong() {
        assertEquals(
                400,
                ask("regex('^/(.*,){12}z$') -> response-code(403)", "/" + "a,".repeat(60) + "b")
                        .status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "path-prefix(/api) -> rat-limit(20/s)| 1:22: there is no action 'rat-limit'; did you mean 'rate-limit'?",
                "pth(/a) -> done| 1:1: there is no predicate 'pth'; did you mean 'path'?",
                "path(/a) -> path(/b)| 1:13: there is no action 'path'; it is a predicate, after which -> and an action are expected",
                "done -> done| 1:1: there is no predicate 'done'; it is an action, which belongs after ->",
                "rate-limit(20)| 1:12: found '20'; expected a rate such as 20/s, 100/m or 5/10s",
                "rate-limit(rat=20/s)| 1:12: 'rate-limit' has no argument 'rat'; did you mean 'rate'?",
                "rate-limit| 1:1: 'rate-limit' needs a rate such as 20/s, 100/m or 5/10s",
                "rate-limit(1/s, burst=1, burst=2)| 1:26: there are two arguments 'burst'; expected one",
                "rate-limit(1/s, 1, 2)| 1:1: 'rate-limit' has 3 arguments; expected at most 2",
                "path(a) -> done| 1:6: found 'a'; expected a path that begins with a slash",
                "path(/a -> done| 1:9: found '-'; expected a comma or )",
                "path(/a) done| 1:10: found 'd'; expected the end of the line, or ; and a further action",
                "path(/a) ->| 1:12: found the end of the rules; expected an action",
                "not path(/a)| 1:13: found the end of the rules; expected -> and an action after the predicate",
                "(path(/a) -> done| 1:11: found '-'; expected ) after the predicate",
                "path('/a) -> done| 1:6: the quotation mark is never closed; expected another '",
                "set('%{x,y}', 1)| 1:5: found '%{x,y}'; expected a header field or attribute that can be changed: %{i,Name} of the request, %{o,Name} of the response, %{r,name}",
                "header(X, '%{HSOT}')| 1:11: there is no property %{HSOT}; expected",
                "regex('(') -> done| 1:7: the regular expression is malformed",
                "cors(*, credentials=true)| 1:1: 'cors': credentials are allowed for the origin *",
                "basic-auth| 1:1: 'basic-auth' needs users",
                "files(/nowhere)| 1:1: the directory /nowhere cannot be served",
                "reverse-proxy('http://a')| 1:1: there is no action 'reverse-proxy'; what it does in other servers is done by a Proxy element",
                "secure(1) -> done| 1:8: 'secure' has no arguments",
                "equals(%m) -> done| 1:1: 'equals' has 1 value; expected at least two",
                "path(/a) -> done; path(/b) -> done| 1:19: a predicate follows the semicolon",
                "redirect('')| 1:10: found ''; expected a location",
                "redirect(/a, status=200)| 1:21: found '200'; expected 301, 302, 303, 307 or 308",
                "allowed-methods(get)| 1:17: found 'get'; expected a method in capitals",
                "path(/a) -> { done| 1:19: found the end of the rules; expected } at the end of the block",
                "}| 1:1: found '}'; expected a rule",
                "max-content-size(999999999999g) -> done| 1:18: found '999999999999g'; expected a size",
                "timeout(0)| 1:9: found '0'; expected a time such as 30s",
                "ip-access-control('10.0.0.0/99 allow')| 1:19: \"10.0.0.0/99\" is not an address range",
            })
    void sayWhatIsWrongAndWhere(String rules, String expected) {
        String message = String.valueOf(assertThrows(RuleSyntaxException.class, () -> Rules.parse(rules))
                .getMessage());
        assertTrue(message.startsWith(expected), message);
    }

    @Test
    void showThePlaceOfAMistake() {
        RuleSyntaxException wrong = assertThrows(
                RuleSyntaxException.class, () -> Rules.parse("# shop\n\n  path-prefix(/api) -> rat-limit(20/s)\ndone"));
        assertEquals(3, wrong.line());
        assertEquals(24, wrong.column());
        assertEquals("""
                3:24: there is no action 'rat-limit'; did you mean 'rate-limit'?
                      path-prefix(/api) -> rat-limit(20/s)
                                           ^""", wrong.getMessage());
    }

    @Test
    void refuseWhatUndertowReadsDifferently() {
        String rules = "path(/a) -> header(X, 1); response-code(403)";
        RuleSetup strict = RuleSetup.DEFAULTS.withStrict();
        assertThrows(RuleSyntaxException.class, () -> Rules.parse(rules, strict));
        assertEquals(200, ask(rules, "/b").status());
        Rules block =
                Rules.parse("path(/a) -> { header(X, 1); response-code(403) }\nheader(Y, 2); header(Z, 3)", strict);
        assertEquals(403, Asked.get("/a").of(block.before(APPLICATION)).status());
        assertEquals("3", Asked.get("/b").of(block.before(APPLICATION)).header("Z"));
        assertThrows(
                RuleSyntaxException.class, () -> Rules.parse("max-content-size(1m) -> response-code(413)", strict));
    }

    @Test
    void meanWhatTheyMeanToUndertowInItsFiles() {
        String rules = "path(/admin/) -> response-code(403)";
        Rules undertow = Rules.parse(rules, RuleSetup.DEFAULTS.withStrict());
        for (String spelling : new String[] {"/admin", "/admin/", "/admin//"}) {
            assertEquals(
                    403, Asked.get(spelling).of(undertow.before(APPLICATION)).status(), spelling);
        }
        assertEquals(200, ask(rules, "/admin").status());
    }

    @Test
    void doNotServeTheDescriptorsOfAnApplication(@TempDir Path application) throws IOException {
        Files.createDirectories(application.resolve("WEB-INF/classes"));
        Files.createDirectory(application.resolve("static"));
        RuleSetup setup = RuleSetup.DEFAULTS.withDirectory(application).withStrict();
        for (String location : new String[] {".", "..", "web-inf", "WEB-INF/classes", "static/..", "/"}) {
            RuleSyntaxException refused = assertThrows(
                    RuleSyntaxException.class,
                    () -> Rules.parse("path-prefix(/) -> resource(location='" + location + "')", setup),
                    location);
            assertTrue(String.valueOf(refused.getMessage()).contains("clients must not read"), location);
        }
        Rules.parse("path-prefix(/) -> resource(location='static')", setup);
    }

    @Test
    void haveLimits() {
        assertThrows(RuleSyntaxException.class, () -> Rules.parse("(".repeat(100) + "true"));
        assertThrows(RuleSyntaxException.class, () -> Rules.parse("true -> {".repeat(100)));
        assertThrows(RuleSyntaxException.class, () -> Rules.parse("done\n".repeat(1001)));
        assertThrows(RuleSyntaxException.class, () -> Rules.parse("done;".repeat(1001)));
        assertEquals(200, ask("false -> done\n".repeat(1000), "/").status());
        assertEquals(200, ask("true -> header(X, 1)\n".repeat(1000), "/").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"'%{", "true and ", "path(/a,", "%{%{", "#", "not ", "x=\n", "header(X,'a')\n", "-> else "})
    void needTimeLinearInTheirLength(String piece) {
        Growth.assertLinear(200_000, size -> piece.repeat(Math.max(1, size / piece.length())), RulesTest::read);
    }

    @Test
    void readAnyTextWithoutFailing() {
        Mutations.run(RulesTest.class, "rules", bytes -> {
            @Nullable RuleSyntaxException wrong = read(new String(bytes, StandardCharsets.ISO_8859_1));
            if (wrong != null) {
                assertTrue(wrong.line() > 0 && wrong.column() > 0, wrong::getMessage);
            }
        });
    }

    private static @Nullable RuleSyntaxException read(String text) {
        try {
            Rules.parse(text);
            return null;
        } catch (RuleSyntaxException wrong) {
            return wrong;
        }
    }
}
