package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way of logging in, on the product, by curl: users from Tomcat's file, behind Tomcat's realms. */
final class SecurityIT {

    /** bob's is what digest.sh -a SHA-256 -s 2 -i 1 prints for "secret". */
    private static final String USERS = """
            <tomcat-users xmlns="http://tomcat.apache.org/xml" version="1.0">
              <role rolename="clerk"/>
              <user username="ann" password="right" roles="clerk"/>
              <user username="bob" password="00ff$1$ef0e761eb7b7bc46acd2d38ed243b441f7cc14b46502968e5175808376b60895"
                    roles="clerk"/>
              <user username="eve" password="eves" roles="other"/>
              <user username="mal" password="mals" roles="clerk"/>
              <user username="CN=ann" password="" roles="clerk"/>
            </tomcat-users>
            """;

    @TempDir
    private static Path base;

    private static Product product;
    private static CertificateAuthority authority;

    @BeforeAll
    static void start() throws Exception {
        authority = new CertificateAuthority(base.resolve("certs"));
        authority.makeEc("server", "localhost", "localhost");
        authority.makeEc("ann", "ann");
        authority.makeEc("zoe", "zoe");
        for (String method : List.of("BASIC", "DIGEST", "FORM", "CLIENT-CERT")) {
            application(method);
        }
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.writeString(conf.resolve("tomcat-users.xml"), USERS);
        Files.writeString(conf.resolve("server.xml"), """
                <Server port="-1">
                  <GlobalNamingResources>
                    <Resource name="UserDatabase" auth="Container" type="org.apache.catalina.UserDatabase"
                        factory="org.apache.catalina.users.MemoryUserDatabaseFactory" pathname="conf/tomcat-users.xml"/>
                  </GlobalNamingResources>
                  <Service name="Catalina">
                    <Connector port="0" address="127.0.0.1"/>
                    <Connector port="0" address="127.0.0.1" SSLEnabled="true" scheme="https" secure="true">
                      <SSLHostConfig certificateVerification="optional" caCertificateFile="%s">
                        <Certificate certificateFile="%s" certificateKeyFile="%s"/>
                      </SSLHostConfig>
                    </Connector>
                    <Engine name="Catalina" defaultHost="localhost">
                      <Realm className="org.apache.catalina.realm.LockOutRealm" failureCount="3">
                        <Realm className="org.apache.catalina.realm.UserDatabaseRealm" resourceName="UserDatabase"/>
                      </Realm>
                      <Host name="localhost" appBase="webapps">
                        <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs" prefix="access"
                            suffix=".txt" rotatable="false" pattern="%%u %%s %%U"/>
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """.formatted(
                        authority.root(), authority.certificate("server"), authority.key("server")));
        product = Product.serving("start", "--base", base.toString());
    }

    private static void application(String method) throws IOException {
        Path root = Files.createDirectories(base.resolve("webapps").resolve(method));
        Files.createDirectories(root.resolve("in"));
        Files.createDirectories(root.resolve("WEB-INF"));
        Files.writeString(root.resolve("in/page.txt"), "the page");
        Files.writeString(root.resolve("login.html"), "<form>please log in</form>");
        Files.writeString(root.resolve("error.html"), "wrong, try again");
        Files.writeString(root.resolve("WEB-INF/web.xml"), """
                <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
                  <security-constraint>
                    <web-resource-collection><web-resource-name>in</web-resource-name>
                      <url-pattern>/in/*</url-pattern></web-resource-collection>
                    <auth-constraint><role-name>clerk</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>%s</auth-method><realm-name>the office</realm-name>
                    <form-login-config><form-login-page>/login.html</form-login-page>
                      <form-error-page>/error.html</form-error-page></form-login-config>
                  </login-config>
                  <security-role><role-name>clerk</role-name></security-role>
                </web-app>
                """.formatted(method));
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    void asksByBasic() throws Exception {
        String page = product.url("/BASIC/in/page.txt");
        assertEquals("the page", Curl.run("-u", "ann:right", page));
        assertEquals("the page", Curl.run("-u", "bob:secret", page));
        assertEquals(401, Curl.status(page));
        assertEquals(401, Curl.status("-u", "ann:wrong", page));
        assertEquals(403, Curl.status("-u", "eve:eves", page));
        String head = Curl.run("-i", page);
        assertTrue(head.contains("WWW-Authenticate: Basic realm=\"the office\", charset=\"UTF-8\"\r\n"), head);
        assertTrue(head.contains("Cache-Control: private\r\n"), head);
        Path log = base.resolve("logs/access.txt");
        Deadline.await("ann in the access log", () -> linesOf(log).anyMatch("ann 200 /BASIC/in/page.txt"::equals));
    }

    @Test
    void asksByDigest() throws Exception {
        String page = product.url("/DIGEST/in/page.txt");
        assertEquals("the page", Curl.run("--digest", "-u", "ann:right", page));
        assertEquals(401, Curl.status("--digest", "-u", "ann:wrong", page));
        assertEquals(401, Curl.status("--digest", "-u", "bob:secret", page), "there is a hash only");
        assertEquals(401, Curl.status("-u", "ann:right", page));
        assertEquals(
                "the page\nthe page",
                Curl.run("--digest", "-u", "ann:right", "-w", "\n", page, page).strip());
    }

    @Test
    void asksByForm() throws Exception {
        Path jar = base.resolve("cookies");
        String page = product.url("/FORM/in/page.txt");
        String check = product.url("/FORM/j_security_check");
        String cookies = jar.toString();
        assertTrue(Curl.run("-b", cookies, "-c", cookies, page).contains("please log in"));
        assertEquals(
                "wrong, try again",
                Curl.run("-b", cookies, "-c", cookies, "-d", "j_username=ann&j_password=wrong", check));
        assertEquals(
                "the page",
                Curl.run("-L", "-b", cookies, "-c", cookies, "-d", "j_username=ann&j_password=right", check));
        assertEquals("the page", Curl.run("-b", cookies, page));
    }

    @Test
    void asksForCertificates() throws Exception {
        String page = "https://localhost:" + product.ports().get(1) + "/CLIENT-CERT/in/page.txt";
        assertEquals("the page", tls("ann", "-s", page));
        assertEquals("401", tls("zoe", "-o", "/dev/null", "-w", "%{http_code}", page), "nobody knows zoe");
        assertEquals(401, Curl.status("--cacert", authority.root().toString(), page));
        assertEquals(401, Curl.status(product.url("/CLIENT-CERT/in/page.txt")));
    }

    private static String tls(String name, String... more) throws Exception {
        String[] identity = {
            "--cacert", authority.root().toString(),
            "--cert", authority.certificate(name).toString(),
            "--key", authority.key(name).toString()
        };
        return Curl.run(Stream.concat(Stream.of(identity), Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void locksOutWhoGuesses() throws Exception {
        String page = product.url("/BASIC/in/page.txt");
        assertEquals(200, Curl.status("-u", "mal:mals", page));
        for (int i = 0; i < 3; i++) {
            assertEquals(401, Curl.status("-u", "mal:guess" + i, page));
        }
        assertEquals(401, Curl.status("-u", "mal:mals", page));
        product.awaitLine("MILLRACE3403");
    }

    @Test
    void refusesARealmItDoesNotKnow() throws Exception {
        Path file = base.resolve("unknown.xml");
        Files.writeString(
                file,
                Files.readString(base.resolve("conf/server.xml"))
                        .replace("realm.UserDatabaseRealm", "realm.AutenticatedUserRealm"));
        Product check = Product.launch("check", "--base", base.toString(), file.toString());
        assertEquals(1, check.exitStatus());
        assertTrue(check.has("there is no such realm"), check.output());
        assertFalse(check.has("is ignored"), check.output());
    }

    private static Stream<String> linesOf(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.of();
        } catch (IOException e) {
            return Stream.of();
        }
    }
}
