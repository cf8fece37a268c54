package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A web.xml with Tomcat's WebDAV servlet: what litmus does not look at. It … */
class WebdavTest extends WebdavFixture {

    /** Name and value in turns. */
    private void deploy(String mapping, String more, String... parameters) throws IOException {
        StringBuilder xml = new StringBuilder("<web-app version=\"4.0\"><servlet><servlet-name>dav</servlet-name>"
                + "<servlet-class>org.apache.catalina.servlets.WebdavServlet</servlet-class>");
        for (int i = 0; i < parameters.length; i += 2) {
            xml.append("<init-param><param-name>" + parameters[i] + "</param-name><param-value>" + parameters[i + 1]
                    + "</param-value></init-param>");
        }
        start(xml + "</servlet><servlet-mapping><servlet-name>dav</servlet-name><url-pattern>" + mapping
                + "</url-pattern></servlet-mapping>" + more + "</web-app>");
    }

    private void deployWritable() throws IOException {
        deploy("/*", "", "listings", "true", "readonly", "false");
    }

    @Test
    void changesNothingUnlessToldTo() throws Exception {
        deploy("/*", "");
        for (String method : "PUT DELETE PROPPATCH MKCOL COPY MOVE LOCK UNLOCK PROPFIND".split(" ", -1)) {
            HttpResponse<String> answer = send(method, "/dir/a.txt", "", "Destination", "/app/b.txt");
            assertEquals(405, answer.statusCode(), method);
            assertEquals(
                    "OPTIONS, GET, HEAD, POST",
                    answer.headers().firstValue("Allow").orElse(""));
        }
        assertEquals("a", send("GET", "/dir/a.txt", "").body());
        assertEquals(404, status("GET", "/dir/"));
        assertEquals("1", send("OPTIONS", "/", "").headers().firstValue("DAV").orElse(""));
    }

    @Test
    void saysWhatItCanDo() throws Exception {
        deployWritable();
        HttpResponse<String> answer = send("OPTIONS", "/", "");
        assertEquals("1, 2", answer.headers().firstValue("DAV").orElse(""));
        assertTrue(answer.headers()
                .firstValue("Allow")
                .orElse("")
                .endsWith("PUT, DELETE, PROPPATCH, MKCOL, COPY, MOVE, LOCK, UNLOCK"));
        assertEquals(405, status("TRACE-IT", "/"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/WEB-INF/web.xml",
                "/web-inf/web.xml",
                "/%57EB-INF/web.xml",
                "/x/../WEB-INF/web.xml",
                "/META-INF/x"
            })
    void keepsWhatIsProtected(String below) throws Exception {
        // at /* the container would answer before the servlet
        deploy("/edit/*", "", "listings", "true", "readonly", "false");
        String path = "/edit" + below;
        String parent = path.substring(0, path.lastIndexOf('/'));
        for (String method : "GET PROPFIND DELETE PROPPATCH".split(" ", -1)) {
            assertEquals(404, status(method, path), method);
            assertEquals(404, status(method, parent), method);
        }
        for (String method : "PUT MKCOL".split(" ", -1)) {
            assertEquals(403, status(method, path), method);
        }
        assertEquals(403, status("MKCOL", parent));
        assertEquals("403", lock(path, "exclusive").substring(0, 3));
        for (String method : "COPY MOVE".split(" ", -1)) {
            assertEquals(404, status(method, path, "Destination", "/app/edit/b.txt"), method);
            assertEquals(404, status(method, parent, "Destination", "/app/edit/b"), method);
            assertEquals(403, status(method, "/edit/dir/a.txt", "Destination", "/app" + path), method);
            assertEquals(403, status(method, "/edit/dir", "Destination", "/app" + parent), method);
        }
        assertFalse(
                send("PROPFIND", "/edit/", "").body().toLowerCase(Locale.ROOT).contains("web-inf"));
        assertTrue(Files.readString(base().resolve("WEB-INF/web.xml")).startsWith("<web-app"));
    }

    @ParameterizedTest
    @CsvSource({
        "http://example.org/app/b.txt, 502",
        "/other/b.txt, 403",
        "/app/../b.txt, 403",
        "/app/%2e%2e/b.txt, 403",
        "/app/x%2fb.txt, 403",
        "/application/b.txt, 403",
        "/app, 403",
        "/app/dir/a.txt, 403",
        "/app/dir/a.txt/x, 403",
        "/app/dir, 403",
        "/app/no/b.txt, 409",
        "b.txt, 400",
        "'http://[', 400",
        "/app/dir/deep, 204",
        "/app/b.txt, 201"
    })
    void copiesAndMovesWithinTheApplicationOnly(String destination, int status) throws Exception {
        deployWritable();
        assertEquals(status, status("MOVE", "/dir/a.txt", "Destination", destination));
        assertEquals(status < 300, Files.notExists(base().resolve("dir/a.txt")));
    }

    @Test
    void takesATargetBehindAFrontEndThatEndsTls() throws Exception {
        deployWritable();
        String host = "https://127.0.0.1:" + Objects.requireNonNull(running).port();
        assertEquals(201, status("COPY", "/dir/a.txt", "Destination", host + "/app/b.txt"));
    }

    @Test
    void changesNothingThroughLinks() throws Exception {
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.writeString(outside.resolve("secret.txt"), "secret");
        deployWritable();
        Files.createSymbolicLink(base().resolve("dir/link"), outside);
        assertEquals(404, status("GET", "/dir/link/secret.txt"));
        assertEquals(409, status("PUT", "/dir/link/new.txt"));
        assertEquals(409, status("COPY", "/dir/a.txt", "Destination", "/app/dir/link/new.txt"));
        assertEquals(403, status("COPY", "/dir/a.txt", "Destination", "/app/dir/link"));
        assertEquals(204, status("DELETE", "/dir"));
        assertEquals("secret", Files.readString(outside.resolve("secret.txt")));
    }

    @Test
    void neverRemovesTheApplication() throws Exception {
        deployWritable();
        assertEquals(403, status("DELETE", "/"));
        assertEquals(403, status("MOVE", "/", "Destination", "/app/x/"));
        assertEquals(403, status("COPY", "/dir", "Destination", "/app/"));
        assertTrue(Files.exists(base().resolve("WEB-INF/web.xml")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><propfind xmlns='DAV:'><prop><c>&e;</c></prop></propfind>",
                "<!DOCTYPE propfind><propfind xmlns='DAV:'><allprop/></propfind>",
                "<?xml version='1.1'?><propfind xmlns='DAV:'><allprop/></propfind>",
                "<propfind xmlns='DAV:'><allprop/>",
                "<propfind><allprop/></propfind>",
                "<propfind xmlns='DAV:'/>",
                "<propfind xmlns='DAV:' xmlns:b=''><allprop/></propfind>"
            })
    void refusesABody(String body) throws Exception {
        deployWritable();
        assertEquals(400, send("PROPFIND", "/", body).statusCode());
    }

    @Test
    void refusesABodyThatIsTooDeepOrTooLong() throws Exception {
        deployWritable();
        String deep = "<propfind xmlns='DAV:'><prop>" + "<a>".repeat(70) + "</a>".repeat(70) + "</prop></propfind>";
        assertEquals(400, send("PROPFIND", "/", deep).statusCode());
        String names = "<propfind xmlns='DAV:'><prop>"
                + IntStream.range(0, 201).mapToObj(i -> "<a" + i + "/>").collect(Collectors.joining())
                + "</prop></propfind>";
        assertEquals(413, send("PROPFIND", "/", names).statusCode());
        assertEquals(413, send("PROPFIND", "/", " ".repeat(128 * 1024) + deep).statusCode());
    }

    @Test
    void describesAsDeepAsItIsToldTo() throws Exception {
        deploy("/*", "", "listings", "true", "maxDepth", "2");
        assertEquals(1, responses("0"));
        assertEquals(2, responses("1"));
        assertEquals(4, responses("infinity"));
        assertEquals(400, status("PROPFIND", "/", "Depth", "2"));
        write("dir/deep/deeper/c.txt", "c");
        assertEquals(4, responses("infinity"));
    }

    private int responses(String depth) throws Exception {
        HttpResponse<String> answer = send("PROPFIND", "/", "", "Depth", depth);
        assertEquals(207, answer.statusCode());
        return answer.body().split("<D:response>", -1).length - 1;
    }

    @Test
    void keepsPropertiesWhenItIsStartedAgain() throws Exception {
        deployWritable();
        assertEquals(207, send("PROPPATCH", "/dir/a.txt", SET).statusCode());
        assertEquals(201, status("COPY", "/dir", "Destination", "/app/other"));
        Objects.requireNonNull(running).close();
        start();
        String names = "<propfind xmlns='DAV:'><prop><c xmlns='urn:c'/><d/></prop></propfind>";
        String found = send("PROPFIND", "/other/a.txt", names).body();
        assertTrue(found.contains("<c xmlns=\"urn:c\">slate</c>") && found.contains("404"), found);
        assertEquals(204, status("DELETE", "/other/a.txt"));
        assertEquals(201, status("PUT", "/other/a.txt"));
        assertFalse(send("PROPFIND", "/other/a.txt", names).body().contains("slate"));
    }

    @Test
    void setsAllPropertiesOrNone() throws Exception {
        deployWritable();
        String body = SET.replace("<prop>", "<prop><getetag>x</getetag>");
        String answer = send("PROPPATCH", "/dir/a.txt", body).body();
        assertTrue(answer.contains("403") && answer.contains("cannot-modify-protected-property"), answer);
        assertTrue(answer.contains("424"), answer);
        assertFalse(send("PROPFIND", "/dir/a.txt", "").body().contains("slate"));
    }

    @Test
    void refusesMorePropertiesThanItKeeps() throws Exception {
        deployWritable();
        String much = "x".repeat(100_000);
        assertEquals(
                207, send("PROPPATCH", "/dir/a.txt", SET.replace("slate", much)).statusCode());
        assertEquals(
                207,
                send(
                                "PROPPATCH",
                                "/dir/a.txt",
                                SET.replace("<c ", "<d ").replace("/c>", "/d>").replace("slate", much))
                        .statusCode());
        assertEquals(
                507,
                send(
                                "PROPPATCH",
                                "/dir/a.txt",
                                SET.replace("<c ", "<e ").replace("/c>", "/e>").replace("slate", much))
                        .statusCode());
    }

    @Test
    void letsNobodyElseChangeWhatIsLocked() throws Exception {
        deployWritable();
        String token = lock("/dir", "exclusive");
        assertTrue(token.startsWith("<urn:uuid:"), token);
        assertEquals(423, status("PUT", "/dir/a.txt"));
        assertEquals(423, status("PUT", "/dir/new.txt"));
        assertEquals(423, status("DELETE", "/dir/a.txt"));
        assertEquals(423, status("MKCOL", "/dir/new"));
        assertEquals(423, status("COPY", "/dir/deep/b.txt", "Destination", "/app/dir/c.txt"));
        assertEquals(423, status("MOVE", "/dir/a.txt", "Destination", "/app/c.txt"));
        assertEquals(423, send("PROPPATCH", "/dir/a.txt", SET).statusCode());
        assertEquals("423", lock("/dir/a.txt", "shared").substring(0, 3));
        assertEquals("423", lock("/dir/new.txt", "shared").substring(0, 3));
        assertEquals(412, status("PUT", "/dir/a.txt", "If", "(<urn:uuid:guessed>)"));
        assertEquals(423, status("PUT", "/dir/a.txt", "If", "(Not <urn:uuid:guessed>)"));
        assertEquals(204, status("PUT", "/dir/a.txt", "If", "(" + token + ")"));
        assertEquals(409, status("UNLOCK", "/", "Lock-Token", token));
        assertEquals(204, status("UNLOCK", "/dir/a.txt", "Lock-Token", token));
        assertEquals(204, status("PUT", "/dir/a.txt"));
    }

    @Test
    void locksACollectionsListOfMembersWithDepthZero() throws Exception {
        deployWritable();
        String token = lock("/dir", "exclusive", "Depth", "0");
        assertEquals(204, status("PUT", "/dir/a.txt"));
        assertEquals(423, status("PUT", "/dir/new.txt"));
        assertEquals(201, status("PUT", "/dir/new.txt", "If", "</app/dir> (" + token + ")"));
    }

    @Test
    void removesNothingOfACollectionOfWhichAMemberIsLocked() throws Exception {
        deployWritable();
        String token = lock("/dir/deep/b.txt", "exclusive");
        HttpResponse<String> answer = send("DELETE", "/dir", "");
        assertEquals(207, answer.statusCode());
        assertTrue(
                answer.body().contains("<D:href>/app/dir/deep/b.txt</D:href><D:status>HTTP/1.1 423 Locked"),
                answer.body());
        assertEquals("a", send("GET", "/dir/a.txt", "").body());
        HttpResponse<String> deep = send("LOCK", "/dir", LOCK.formatted("exclusive"));
        assertTrue(deep.statusCode() == 207 && deep.body().contains("424"), deep.body());
        assertEquals(204, status("DELETE", "/dir", "If", "</app/dir/deep/b.txt> (" + token + ")"));
        assertEquals(409, status("UNLOCK", "/dir/deep/b.txt", "Lock-Token", token));
    }

    private static final String CONSTRAINTS = """
            <security-constraint>
              <web-resource-collection><web-resource-name>ours</web-resource-name><url-pattern>/*</url-pattern></web-resource-collection>
              <auth-constraint><role-name>*</role-name></auth-constraint>
            </security-constraint>
            <security-constraint>
              <web-resource-collection><web-resource-name>ada</web-resource-name><url-pattern>/dir/deep/*</url-pattern></web-resource-collection>
              <auth-constraint><role-name>adas</role-name></auth-constraint>
            </security-constraint>
            <login-config><auth-method>BASIC</auth-method></login-config>
            <security-role><role-name>adas</role-name></security-role>
            <security-role><role-name>bobs</role-name></security-role>
            """;

    /** A constraint looks at the URL of the request only; what else is acted on would pass it by. */
    @Test
    void keepsToTheConstraintsOfAllThatItActsOn() throws Exception {
        deploy("/*", CONSTRAINTS, "listings", "true", "readonly", "false");
        String bob = user("bob");
        assertEquals(403, status("GET", "/dir/deep/b.txt", "Authorization", bob));
        assertEquals(403, status("COPY", "/dir/a.txt", "Destination", "/app/dir/deep/c.txt", "Authorization", bob));
        assertEquals(403, status("COPY", "/dir", "Destination", "/app/mine", "Authorization", bob));
        assertEquals(403, status("MOVE", "/dir", "Destination", "/app/mine", "Authorization", bob));
        assertEquals(403, status("DELETE", "/dir", "Authorization", bob));
        assertFalse(send("PROPFIND", "/", "", "Authorization", bob).body().contains("b.txt"));
        assertTrue(
                send("PROPFIND", "/", "", "Authorization", user("ada")).body().contains("b.txt"));
        assertEquals(201, status("COPY", "/dir", "Destination", "/app/mine", "Authorization", user("ada")));
    }

    /** A constraint may name the methods that read or delete, and not those of WebDAV. */
    @Test
    void copiesOnlyWhatMayBeReadAndMovesOnlyWhatMayBeDeletedToo() throws Exception {
        String methods = CONSTRAINTS
                .replace("/*</url-pattern>", "/*</url-pattern><http-method>%s</http-method>")
                .replace("<role-name>*<", "<role-name>adas<");
        deploy("/*", methods.formatted("GET", "DELETE"), "readonly", "false");
        assertEquals(401, status("GET", "/dir/a.txt"));
        assertEquals(403, status("COPY", "/dir/a.txt", "Destination", "/app/copied.txt"));
        assertEquals(403, status("MOVE", "/dir/a.txt", "Destination", "/app/moved.txt"));
        assertEquals(201, status("COPY", "/dir/deep/b.txt", "Destination", "/app/copied.txt"));
        assertEquals(403, status("MOVE", "/dir/deep/b.txt", "Destination", "/app/moved.txt"));
        String ada = user("ada");
        assertEquals(
                403, status("MOVE", "/dir/deep/b.txt", "Destination", "/app/moved.txt", "Authorization", user("bob")));
        assertEquals(200, status("GET", "/dir/a.txt", "Authorization", ada));
    }

    @Test
    void honoursALocksTokenFromWhoMadeItOnly() throws Exception {
        deploy("/*", CONSTRAINTS, "listings", "true", "readonly", "false");
        String token = lock("/dir/a.txt", "exclusive", "Authorization", user("ada"));
        assertTrue(send("PROPFIND", "/dir/a.txt", "", "Authorization", user("ada"))
                .body()
                .contains("<D:locktoken>"));
        assertFalse(send("PROPFIND", "/dir/a.txt", "", "Authorization", user("bob"))
                .body()
                .contains("<D:locktoken>"));
        assertEquals(423, status("PUT", "/dir/a.txt", "If", "(" + token + ")", "Authorization", user("bob")));
        assertEquals(403, status("UNLOCK", "/dir/a.txt", "Lock-Token", token, "Authorization", user("bob")));
        assertEquals(204, status("PUT", "/dir/a.txt", "If", "(" + token + ")", "Authorization", user("ada")));
    }

    @Test
    void grantsTimesThatEnd() throws Exception {
        deployWritable();
        assertEquals("604800", granted("Infinite, Second-4100000000"));
        assertEquals("604800", granted("Second-4100000000"));
        assertEquals("90", granted("Second-x, Second-90"));
        assertEquals("3600", granted("soon"));
    }

    private String granted(String timeout) throws Exception {
        HttpResponse<String> answer = send("LOCK", "/dir/a.txt", LOCK.formatted("shared"), "Timeout", timeout);
        Matcher matcher = Pattern.compile("Second-(\\d+)").matcher(answer.body());
        assertTrue(matcher.find(), answer.body());
        // a second may have passed
        long seconds = Long.parseLong(matcher.group(1));
        return Long.toString((seconds + 9) / 10 * 10);
    }

    /** As Tomcat's, its own path is not part of the paths of resources. */
    @Test
    void hasTheApplicationsRootAtItsOwnPath() throws Exception {
        deploy("/edit/*", "", "listings", "true", "readonly", "false");
        assertEquals("a", send("GET", "/edit/dir/a.txt", "").body());
        String found = send("PROPFIND", "/edit/dir", "").body();
        assertTrue(found.contains("<D:href>/app/edit/dir/a.txt</D:href>"), found);
        assertTrue(send("GET", "/edit/dir/", "").body().contains("href=\"./a.txt\""));
        assertEquals(404, status("GET", "/edit/WEB-INF/web.xml"));
        assertEquals(403, status("COPY", "/edit/dir/a.txt", "Destination", "/app/b.txt"));
        assertEquals(201, status("COPY", "/edit/dir/a.txt", "Destination", "/app/edit/b.txt"));
        assertEquals("a", send("GET", "/b.txt", "").body());
    }

    @Test
    void servesThePathsBelowItselfAloneIfToldTo() throws Exception {
        deploy("/dir/*", "", "listings", "true", "serveSubpathOnly", "true", "readonly", "false");
        assertEquals("a", send("GET", "/dir/a.txt", "").body());
        assertTrue(send("PROPFIND", "/dir", "").body().contains("<D:href>/app/dir/a.txt</D:href>"));
        assertEquals(403, status("COPY", "/dir/a.txt", "Destination", "/app/b.txt"));
        assertEquals(201, status("COPY", "/dir/a.txt", "Destination", "/app/dir/b.txt"));
    }

    @Test
    void showsWhatIsProtectedIfToldTo() throws Exception {
        deploy("/edit/*", "", "listings", "true", "readonly", "false", "allowSpecialPaths", "true");
        assertEquals(200, status("GET", "/edit/WEB-INF/web.xml"));
        assertEquals(201, status("PUT", "/edit/WEB-INF/note.txt"));
        assertTrue(send("PROPFIND", "/edit/", "").body().contains("WEB-INF"));
        assertEquals(404, status("GET", "/WEB-INF/web.xml"));
    }

    @Test
    void writesNamesThatUrlsAndXmlCannotHold() throws Exception {
        deployWritable();
        assertEquals(201, status("PUT", "/dir/50%25%20%3Ca%3E%26%E2%82%AC.txt"));
        String found = send("PROPFIND", "/dir", "").body();
        assertTrue(found.contains("<D:href>/app/dir/50%25%20%3Ca%3E&amp;%E2%82%AC.txt</D:href>"), found);
        assertTrue(found.contains("<D:displayname>50% &lt;a&gt;&amp;\u20ac.txt</D:displayname>"), found);
    }

    @Test
    void evaluatesConditions() throws Exception {
        deployWritable();
        assertEquals(412, status("PUT", "/dir/a.txt", "If-None-Match", "*"));
        assertEquals(412, status("DELETE", "/dir/a.txt", "If-Match", "\"x\""));
        assertEquals(412, status("MOVE", "/dir/a.txt", "Destination", "/app/b.txt", "If-Match", "\"x\""));
        assertEquals(412, status("COPY", "/dir/a.txt", "Destination", "/app/dir/deep/b.txt", "Overwrite", "F"));
        assertEquals(400, status("COPY", "/dir/a.txt", "Destination", "/app/b.txt", "Overwrite", "maybe"));
        assertEquals(400, status("MOVE", "/dir", "Destination", "/app/b", "Depth", "0"));
        assertEquals(400, status("DELETE", "/dir", "Depth", "0"));
        assertEquals(412, status("GET", "/dir/a.txt", "If", "([\"x\"])"));
        assertEquals(400, status("GET", "/dir/a.txt", "If", "x"));
    }
}
