package io.millrace.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Asked;
import io.millrace.handler.MemoryStream;
import io.millrace.handler.PresetAttributes;
import io.millrace.handler.Responses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules (lines are separated by " ; " here) … */
final class RewriteRulesTest {

    /** Responds with the request as seen by the application. */
    private static final NonBlockingHandler ECHO = exchange -> Responses.text(exchange, 200, seen(exchange));

    @TempDir
    private Path directory = Path.of("");

    private static String seen(HttpExchange exchange) {
        PresetAttributes attributes = exchange.attributes().get(PresetAttributes.KEY);
        return exchange.request().target()
                + (attributes == null ? "" : " " + attributes.values())
                + ("localhost".equals(exchange.request().authority())
                        ? ""
                        : " at " + exchange.request().authority());
    }

    private RewriteRules rules(String lines) {
        return RewriteRules.parse(lines.replace(" ; ", "\n"), directory, RewriteRules.NO_CLASSES);
    }

    private String answer(String lines, Asked request) {
        return answer(rules(lines), request);
    }

    /** The status unless it is 200, the location, and the body of a 200 response. */
    private static String answer(RewriteRules rules, Asked request) {
        MemoryStream stream = request.of(rules.before(ECHO));
        int status = stream.status();
        String location = stream.header("Location");
        return status == 200 ? stream.body() : status + (location == null ? "" : " " + location);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            RewriteRule /old/(.*) /new/$1                     | /old/a         | /new/a
            RewriteRule /old /new                             | /old/a         | /old/a
            RewriteRule /old/(.*) /new/$1                     | /old/a?x=1     | /new/a?x=1
            RewriteRule /old/(.*) /new?p=$1                   | /old/a?x=1     | /new?p=a
            RewriteRule /old/(.*) /new?p=$1 [QSA]             | /old/a?x=1     | /new?p=a&x=1
            RewriteRule /old/(.*) /new/$1 [QSD]               | /old/a?x=1     | /new/a
            RewriteRule /old/(.*) /new? [R]                   | /old/a?x=1     | 302 /new
            RewriteRule /old/(.*) /new/$1 [R=301]             | /old/a?x=1     | 301 /new/a?x=1
            RewriteRule /old/(.*) /new/$1 [R=permanent,QSD]   | /old/a?x=1     | 301 /new/a
            RewriteRule /(.*) https://example.org/$1 [R=seeother] | /a         | 303 https://example.org/a
            RewriteRule /x/(.*) /$1 [R=307]                   | /x/a           | 307 /a
            RewriteRule /a "/b c" [R]                         | /a             | 302 /b%20c
            RewriteRule /a /b%3dc [R]                         | /a             | 302 /bdc
            RewriteRule /a /b\\%3dc [R]                        | /a             | 302 /b%3dc
            RewriteRule /a /b#c [R]                           | /a             | 302 /b%23c
            RewriteRule /a /b#c [R,NE]                        | /a             | 302 /b#c
            RewriteRule /admin/.* - [F]                       | /admin/x       | 403
            RewriteRule /admin/.* - [forbidden]               | /other         | /other
            RewriteRule /gone - [G]                           | /gone          | 410
            RewriteRule /hidden - [R=404]                     | /hidden        | 404
            RewriteRule /A /b [NC]                            | /a             | /b
            RewriteRule /a /b ; RewriteRule /b /c             | /a             | /c
            RewriteRule /a /b [L] ; RewriteRule /b /c         | /a             | /b
            RewriteRule /a /b [C] ; RewriteRule /b /c [C] ; RewriteRule /c /d | /a | /d
            RewriteRule /x /b [C] ; RewriteRule /a /c [C] ; RewriteRule /a /d | /a | /a
            RewriteRule /x - [C] ; RewriteRule /a /c ; RewriteRule /a /d      | /a | /d
            RewriteRule /a - [S=1] ; RewriteRule /a /b ; RewriteRule /a /c    | /a | /c
            RewriteRule /(.*)x(.*) /$1y$2 [N]                 | /xaxx          | /yayy
            RewriteRule /a - [N]                              | /a             | 500
            RewriteRule /(.*) /b [E=who:$1]                   | /a             | /b {who=a}
            RewriteRule /(.*) /b [env=who:$1] ; RewriteRule .* /%{ENV:who} | /a | /a {who=a}
            RewriteRule /a /b?q=%{QUERY_STRING}               | /a?x=1         | /b?q=x=1
            RewriteRule /a/(.*) /b?q=$1 [B]                   | /a/1&c         | /b?q=1%26c
            RewriteRule localhost shop.example.org [H]        | /a             | /a at shop.example.org
            RewriteEngine on ; # nothing                      | /a             | /a
            """)
    void rewriteAsTomcatDoes(String lines, String target, String expected) {
        assertEquals(expected, answer(lines, Asked.get(target)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            RewriteCond %{HTTP_USER_AGENT} .*Bot.*                                         | Bot/1  | /b
            RewriteCond %{HTTP_USER_AGENT} .*bot.*                                         | Bot/1  | /a
            RewriteCond %{HTTP_USER_AGENT} .*bot.* [NC]                                    | Bot/1  | /b
            RewriteCond %{HTTP_USER_AGENT} !.*Bot.*                                        | Bot/1  | /a
            RewriteCond %{HTTP:User-Agent} =x                                              | x      | /b
            RewriteCond %{HTTP:User-Agent} >k                                              | x      | /b
            RewriteCond %{HTTP:User-Agent} <k                                              | x      | /a
            RewriteCond %{HTTP_USER_AGENT} x [OR] ; RewriteCond %{REQUEST_METHOD} POST     | x      | /b
            RewriteCond %{HTTP_USER_AGENT} y [OR] ; RewriteCond %{REQUEST_METHOD} GET      | x      | /b
            RewriteCond %{HTTP_USER_AGENT} x [OR] ; RewriteCond %{REQUEST_METHOD} GET ; RewriteCond %{HTTPS} on | x | /a
            RewriteCond %{HTTP_USER_AGENT} y [OR] ; RewriteCond %{REQUEST_METHOD} POST ; RewriteCond %{HTTPS} off | x | /a
            RewriteCond %{HTTPS} off ; RewriteCond %{REMOTE_ADDR} 192\\.0\\.2\\..*           | x      | /b
            RewriteCond %{SERVER_PORT} 8080 ; RewriteCond %{HTTP_HOST} localhost           | x      | /b
            RewriteCond %{THE_REQUEST} "GET /a HTTP/1.1"                                   | x      | /b
            RewriteCond %{REQUEST_URI} /a ; RewriteCond %{REQUEST_PATH} /a                 | x      | /b
            RewriteCond %{TIME_YEAR}%{TIME_MON}%{TIME_WDAY} \\d+                            | x      | /b
            RewriteCond %{ENV:java.specification.name} .*Java.*                            | x      | /b
            RewriteCond %{SSL:SSL_PROTOCOL}%{SSL:SSL_CLIENT_S_DN} ""                       | x      | /b
            """)
    void meetConditions(String conditions, String agent, String expected) {
        assertEquals(
                expected,
                answer(conditions + " ; RewriteRule /a /b", Asked.get("/a").header("User-Agent", agent)));
    }

    @Test
    void referToTheLastConditionThatMatched() {
        String lines = "RewriteCond %{HTTP_HOST} (.*)\\.example\\.org ; RewriteRule /(.*) /%1/$1";
        assertEquals(
                "/shop/a at shop.example.org", answer(lines, Asked.get("/a").host("shop.example.org")));
    }

    @Test
    void askForFiles() throws IOException {
        Files.createDirectories(directory.resolve("dir"));
        Files.writeString(directory.resolve("dir/there.html"), "x");
        Files.writeString(directory.resolve("empty"), "");
        RewriteRules rules = rules(
                        "RewriteCond %{REQUEST_PATH} !-f ; RewriteCond %{REQUEST_PATH} !-d ; RewriteRule .* /index.html")
                .withFiles(RewriteFiles.below(directory));
        assertEquals("/dir/there.html", answer(rules, Asked.get("/dir/there.html")));
        assertEquals("/dir", answer(rules, Asked.get("/dir")));
        assertEquals("/index.html", answer(rules, Asked.get("/users/7")));
        RewriteRules sized = rules("RewriteCond %{REQUEST_FILENAME} -s ; RewriteRule .* /sized")
                .withFiles(RewriteFiles.below(directory));
        assertEquals("/sized", answer(sized, Asked.get("/dir/there.html")));
        assertEquals("/empty", answer(sized, Asked.get("/empty")));
        RewriteRules outside = rules("RewriteCond %{HTTP:X-File} -f ; RewriteRule .* /found")
                .withFiles(RewriteFiles.below(directory.resolve("dir")));
        assertEquals("/a", answer(outside, Asked.get("/a").header("X-File", "/../empty")));
        assertEquals("/a", answer(outside, Asked.get("/a").header("X-File", "a\u0000b")));
    }

    @Test
    void lookUpMaps() throws IOException {
        Files.writeString(directory.resolve("shops.txt"), "# shops\none  eins\ntwo zwei|deux\n");
        String lines = "RewriteMap up int:toupper ; RewriteMap low int:tolower ; RewriteMap esc int:escape ;"
                + " RewriteMap shops txt:shops.txt ; RewriteMap any rnd:shops.txt ; ";
        assertEquals("/AB/ab", answer(lines + "RewriteRule /(.*) /${up:$1}/${low:$1}", Asked.get("/aB")));
        assertEquals("/eins", answer(lines + "RewriteRule /(.*) /${shops:$1|none}", Asked.get("/one")));
        assertEquals("/none-x", answer(lines + "RewriteRule /(.*) /${shops:$1|none-$1}", Asked.get("/x")));
        assertEquals("/EINS", answer(lines + "RewriteRule /(.*) /${up:${shops:$1}}", Asked.get("/one")));
        String any = answer(lines + "RewriteRule /(.*) /${any:$1}", Asked.get("/two"));
        assertTrue(any.equals("/zwei") || any.equals("/deux"), any);
    }

    @Test
    void lookUpMapsOfClasses() {
        RewriteRules rules = RewriteRules.parse(
                "RewriteMap m com.example.Shops a b\nRewriteRule /(.*) /${m:$1}",
                directory,
                (name, parameters) ->
                        Map.of("x", name + String.valueOf(parameters).replace(' ', '-'))::get);
        assertEquals("/com.example.Shopsa-b", answer(rules, Asked.get("/x")));
    }

    @Test
    void setCookies() {
        MemoryStream stream = Asked.get("/a;b")
                .of(rules("RewriteRule /a.* - [CO=seen:$0:.example.org:60:/shop:true:true]")
                        .before(ECHO));
        assertEquals(
                "seen=/a%3Bb; Domain=.example.org; Max-Age=60; Path=/shop; Secure; HttpOnly",
                stream.header("Set-Cookie"));
    }

    @Test
    void setTheContentType() {
        NonBlockingHandler empty = exchange -> Responses.empty(exchange, 200);
        MemoryStream stream =
                Asked.get("/a").of(rules("RewriteRule /a - [T=text/x-a]").before(empty));
        assertEquals("text/x-a", stream.header("Content-Type"));
    }

    @Test
    void stayInTheirApplication() {
        RewriteRules rules = rules(
                        "RewriteRule /old/(.*) /new/$1 ; RewriteRule /go /there [R] ; RewriteRule /out /../secret")
                .below("/shop");
        assertEquals("/shop/new/a", answer(rules, Asked.get("/shop/old/a")));
        assertEquals("302 /shop/there", answer(rules, Asked.get("/shop/go")));
        assertEquals("400", answer(rules, Asked.get("/shop/out")));
    }

    /** The rules of the new site are applied, except those that have changed the host. */
    @Test
    void ofTheNextHostAreAppliedAsWell() {
        RewriteRules moving = rules("RewriteRule localhost shop.example.org [H] ; RewriteRule /b /c");
        HttpHandler shop =
                rules("RewriteRule /admin/.* - [F] ; RewriteRule /a /b").before(ECHO);
        HttpHandler both = moving.before(ECHO, () -> shop);
        assertEquals("/b at shop.example.org", Asked.get("/a").of(both).body());
        assertEquals(403, Asked.get("/admin/users").of(both).status());

        AtomicReference<HttpHandler> itself = new AtomicReference<>(ECHO);
        HttpHandler looping = rules("RewriteRule .* x.example.org [H] ; RewriteRule /(.*) /x/$1")
                .before(ECHO, itself::get);
        itself.set(looping);
        assertEquals("/x/a at x.example.org", Asked.get("/a").of(looping).body());
    }

    /** Input of a client never begins a query, and a redirect to a path never leads to another site. */
    @Test
    void areNotMisledByWhatAClientSends() {
        assertEquals(
                "302 /evil.example",
                answer("RewriteRule /a /%{QUERY_STRING} [R]", Asked.get("/a?/evil.example"))
                        .replaceFirst("\\?.*", ""));
        assertEquals("400", answer("RewriteRule /(.*)(.*)(.*)(.*)(.*)(.*)(.*)x /b", Asked.get("/" + "a".repeat(200))));
        assertEquals("400", answer("RewriteRule /(a|b)* - [F]", Asked.get("/" + "ab".repeat(60_000))));
        assertEquals(
                "302 /b%0D%0Ax",
                answer("RewriteRule /a /%{HTTP:X-A} [R,NE]", Asked.get("/a").header("X-A", "b\r\nx")));
        assertEquals(
                "302 /evil.example",
                answer("RewriteRule /a /%{HTTP:X-A} [R,NE]", Asked.get("/a").header("X-A", "\\evil.example")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            RewriteRule /a                               | the line is incomplete
            RewriteRule ( /b                             | Unclosed group
            RewriteRule /a /b [XX]                       | RewriteRule has no flag XX
            RewriteRule /a /b [P]                        | flag P: rules cannot forward requests
            RewriteRule /a /b [VS]                       | flag VS
            RewriteRule /a /b [R=200]                    | flag R=200: expected a number from 300 to 599
            RewriteRule /a /b [S=x]                      | flag S=x
            RewriteRule /a /b [CO=x]                     | flag CO=x
            RewriteRule /a /b [E=x]                      | flag E=x: expected E=NAME:VALUE
            RewriteRule /a /${m:$1}                      | expected ${map:key}
            RewriteRule /a /%{REMOTE_ADR}                | there is no variable %{REMOTE_ADR}; did you mean 'REMOTE_ADDR'?
            RewriteRule /a /%{SSL:X}                     | there is no variable %{SSL:X}
            RewriteRule /a /$x                           | expected a digit or { after $
            RewriteRule /a "/b                           | the closing quotation mark is missing
            RewriteCond %{HTTPS} on                      | expected a RewriteRule after it
            RewriteCond %{HTTPS} on [XX] ; RewriteRule /a /b | RewriteCond has no flag XX
            RewriteMap m int:foo                         | expected int:toupper
            RewriteMap m txt:missing                     | cannot read
            RewriteMap m com.example.Map                 | expected int:, txt: or rnd:
            RewriteEngine off                            | enabled="false"
            Rewrite                                      | is not a directive
            """)
    void sayWhatIsWrong(String lines, String why) {
        RewriteSyntaxException wrong = assertThrows(RewriteSyntaxException.class, () -> rules("\n" + lines));
        assertTrue(String.valueOf(wrong.getMessage()).contains(why), wrong.getMessage());
        assertTrue(wrong.line() >= 2, wrong.toString());
    }
}
