package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * WebDAV beside the default servlet, both writable, and what becomes of a DELETE, COPY or MOVE of which a part cannot be done. It …
 */
class WebdavFailuresTest extends WebdavFixture {

    /** Longer than the name of any directory here by so much that what can be reached below that cannot below this. */
    private static final String LONG = "t".repeat(200);

    /** Bytes that a path has at most, on Linux; with the zero at its end. */
    private static final int PATH_MAX = 4096;

    private void deploy(String more) throws IOException {
        String xml = """
                <web-app version="4.0">
                  <servlet><servlet-name>dav</servlet-name><servlet-class>org.apache.catalina.servlets.WebdavServlet</servlet-class>
                    <init-param><param-name>listings</param-name><param-value>true</param-value></init-param>
                    <init-param><param-name>readonly</param-name><param-value>false</param-value></init-param></servlet>
                  <servlet><servlet-name>files</servlet-name><servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
                    <init-param><param-name>readonly</param-name><param-value>false</param-value></init-param></servlet>
                  <servlet-mapping><servlet-name>dav</servlet-name><url-pattern>/edit/*</url-pattern></servlet-mapping>
                  <servlet-mapping><servlet-name>files</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
                """;
        start(xml + more + "</web-app>");
    }

    @Test
    void refusesByTheDefaultServletWhatIsLockedByWebdav() throws Exception {
        deploy("");
        String token = lock("/edit/dir/a.txt", "exclusive");
        HttpResponse<String> answer = send("PUT", "/dir/a.txt", "other");
        assertEquals(423, answer.statusCode());
        assertTrue(answer.body().contains("<D:lock-token-submitted><D:href>/app/dir/a.txt</D:href>"), answer.body());
        assertEquals(423, status("DELETE", "/dir/a.txt"));
        assertEquals("a", send("GET", "/dir/a.txt", "").body());
        assertEquals(412, status("PUT", "/dir/a.txt", "If", "(<urn:uuid:none>)"));
        assertEquals(400, status("PUT", "/dir/a.txt", "If", "nonsense"));
        assertEquals(204, status("PUT", "/dir/a.txt", "If", "(" + token + ")"));
        assertEquals(201, status("PUT", "/dir/b.txt"));
        assertEquals(204, status("DELETE", "/dir/b.txt"));
    }

    @Test
    void refusesByTheDefaultServletToChangeTheMembersOfALockedCollection() throws Exception {
        deploy("");
        String token = lock("/edit/dir", "exclusive", "Depth", "0");
        assertEquals(204, status("PUT", "/dir/a.txt"));
        assertEquals(423, status("PUT", "/dir/new.txt"));
        assertEquals(423, status("DELETE", "/dir/a.txt"));
        assertEquals(201, status("PUT", "/dir/new.txt", "If", "</app/dir> (" + token + ")"));
    }

    @Test
    void endsLocksAndPropertiesOfAFileThatTheDefaultServletDeletes() throws Exception {
        deploy("");
        send("PROPPATCH", "/edit/dir/a.txt", SET);
        String token = lock("/edit/dir/a.txt", "exclusive");
        assertEquals(204, status("DELETE", "/dir/a.txt", "If", "(" + token + ")"));
        assertEquals(201, status("PUT", "/dir/a.txt"));
        assertFalse(send("PROPFIND", "/edit/dir/a.txt", "", "Depth", "0").body().contains("slate"));
    }

    /** In a jar, so that it is known before. */
    @Test
    void changesNothingIfAMemberCannotBeRemoved() throws Exception {
        Path jar = Files.createDirectories(base().resolve("WEB-INF/lib")).resolve("r.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("META-INF/resources/dir/deep/jar.txt"));
            zip.write("jar".getBytes(StandardCharsets.US_ASCII));
            zip.closeEntry();
        }
        deploy("");
        String member = "<D:href>/app/edit/dir/deep/jar.txt</D:href><D:status>HTTP/1.1 403";
        String[] refused = {"DELETE /edit/dir /", "MOVE /edit/dir /app/edit/new", "COPY /edit/WEB /app/edit/dir"};
        Files.createDirectory(base().resolve("WEB"));
        for (String each : refused) {
            String[] words = each.split(" ", -1);
            HttpResponse<String> answer = send(words[0], words[1], "", "Destination", words[2]);
            assertTrue(answer.statusCode() == 207 && answer.body().contains(member), each + answer.body());
        }
        assertEquals("a", send("GET", "/dir/a.txt", "").body());
        assertEquals(403, status("DELETE", "/edit/dir/deep/jar.txt"));
        assertEquals(201, status("COPY", "/edit/dir", "Destination", "/app/edit/copy"));
        assertEquals("jar", send("GET", "/copy/deep/jar.txt", "").body());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void copiesWhatItCan() throws Exception {
        deploy("");
        deepen();
        HttpResponse<String> answer = send("COPY", "/edit/dir", "", "Destination", "/app/edit/" + LONG);
        assertEquals(207, answer.statusCode());
        assertTrue(answer.body().contains("<D:status>HTTP/1.1 403"), answer.body());
        assertTrue(answer.body().contains("<D:href>/app/edit/" + LONG + "/deep/ddd"), answer.body());
        assertEquals("b", Files.readString(base().resolve(LONG + "/deep/b.txt")));
        assertEquals("a", Files.readString(base().resolve("dir/a.txt")));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void deletesWhatItCan() throws Exception {
        deploy("");
        deepen();
        assertTrue(lock("/edit/dir/deep", "exclusive").startsWith("<urn:uuid:"));
        Files.move(base().resolve("dir"), base().resolve(LONG));
        try {
            HttpResponse<String> answer = send("DELETE", "/edit/" + LONG, "");
            assertEquals(207, answer.statusCode());
            assertTrue(answer.body().contains("<D:status>HTTP/1.1 403"), answer.body());
            assertFalse(answer.body().contains("<D:href>/app/edit/" + LONG + "/</D:href>"), answer.body());
            assertFalse(Files.exists(base().resolve(LONG + "/deep/b.txt")));
            assertTrue(Files.exists(base().resolve(LONG + "/deep")));
        } finally {
            Files.move(base().resolve(LONG), base().resolve("dir"));
        }
    }

    /** Directories below dir/deep, as deep as paths can be long. */
    private void deepen() throws IOException {
        Path deep = base().resolve("dir/deep");
        String name = "d".repeat(100);
        while (deep.toString().length() + 1 + name.length() < PATH_MAX) {
            deep = Files.createDirectory(deep.resolve(name));
        }
    }

    @Test
    void namesWhatAConstraintKeepsIfItMayBeSeen() throws Exception {
        String constraint = """
                <security-constraint>
                  <web-resource-collection><web-resource-name>x</web-resource-name><url-pattern>/edit/dir/%s/*</url-pattern>%s</web-resource-collection>
                  <auth-constraint><role-name>adas</role-name></auth-constraint>
                </security-constraint>
                """;
        String deletions = "<http-method>DELETE</http-method>";
        deploy(constraint.formatted("deep", deletions) + constraint.formatted("hidden", "")
                + "<login-config><auth-method>BASIC</auth-method></login-config>");
        HttpResponse<String> answer = send("DELETE", "/edit/dir", "", "Authorization", user("bob"));
        assertTrue(answer.statusCode() == 207 && answer.body().contains("/deep/b.txt"), answer.body());
        Files.createDirectory(base().resolve("dir/hidden"));
        Files.writeString(base().resolve("dir/hidden/secret.txt"), "secret");
        answer = send("DELETE", "/edit/dir", "", "Authorization", user("bob"));
        assertTrue(answer.statusCode() == 207 && !answer.body().contains("secret"), answer.body());
    }
}
