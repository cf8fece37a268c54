package io.millrace.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SPNEGO on the product: tickets of MIT Kerberos, brought by curl, for a base directory as Tomcat's guide describes it. */
final class SpnegoIT {

    /** Bytes of a token's end: most of the authenticator. */
    private static final int ENCIPHERED = 150;

    @TempDir
    private static Path directory;

    private static Path base;
    private static Kdc kdc;
    private static Product product;
    private static Map<String, String> ann;
    private static Map<String, String> eve;
    private static Map<String, String> stranger;

    @BeforeAll
    static void start() throws Exception {
        kdc = Kdc.start(directory.resolve("kdc"));
        Path keytab = kdc.service("HTTP/localhost");
        ann = kdc.user("ann");
        eve = kdc.user("eve");
        stranger = kdc.user("stranger");
        base = directory.resolve("base");
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.copy(kdc.configuration(), conf.resolve("krb5.ini"));
        Files.writeString(
                conf.resolve("jaas.conf"), """
                com.sun.security.jgss.krb5.accept { %1$s };
                own { %1$s };
                keyless { %2$s };
                locked { com.sun.security.auth.module.Krb5LoginModule required doNotPrompt=true useKeyTab=false; };
                """.formatted(module(keytab), module(conf.resolve("absent.keytab"))));
        Files.writeString(conf.resolve("tomcat-users.xml"), """
                <tomcat-users>
                  <user username="ann" password="" roles="clerk"/>
                  <user username="ann@MILLRACE.TEST" password="" roles="clerk"/>
                  <user username="eve" password="" roles="other"/>
                </tomcat-users>
                """);
        Files.writeString(conf.resolve("server.xml"), """
                <Server port="-1"><Service name="Catalina">
                  <Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost">
                    <Realm className="org.apache.catalina.realm.LockOutRealm">
                      <Realm className="org.apache.catalina.realm.MemoryRealm"/>
                    </Realm>
                    <Host name="localhost" appBase="webapps"/>
                  </Engine>
                </Service></Server>
                """);
        application("plain", "");
        application("valve", """
                <Valve className="org.apache.catalina.authenticator.SpnegoAuthenticator" loginConfigName="own"
                    noKeepAliveUserAgents="old.*" storeDelegatedCredential="false"/>""");
        application("whole", """
                <Realm className="org.apache.catalina.realm.MemoryRealm" stripRealmForGss="false"/>""");
        application("any", """
                <Realm className="org.apache.catalina.realm.AuthenticatedUserRealm"/>""");
        application("keyless", """
                <Valve className="org.apache.catalina.authenticator.SpnegoAuthenticator" loginConfigName="keyless"/>""");
        application("locked", """
                <Valve className="org.apache.catalina.authenticator.SpnegoAuthenticator" loginConfigName="locked"/>""");
        application("nowhere", """
                <Valve className="org.apache.catalina.authenticator.SpnegoAuthenticator" loginConfigName="nowhere"/>""");
        product = Product.process().serving("start", "--base", base.toString());
    }

    private static String module(Path keytab) {
        return """
                com.sun.security.auth.module.Krb5LoginModule required doNotPrompt=true
                    principal="HTTP/localhost@MILLRACE.TEST" useKeyTab=true keyTab="%s" storeKey=true isInitiator=false;
                """.formatted(keytab);
    }

    private static void application(String name, String context) throws IOException {
        Path root = Files.createDirectories(base.resolve("webapps").resolve(name));
        Files.createDirectories(root.resolve("WEB-INF"));
        Files.createDirectories(root.resolve("META-INF"));
        Files.createDirectories(root.resolve("all"));
        Files.writeString(root.resolve("page.txt"), "the page");
        Files.writeString(root.resolve("all/page.txt"), "for all who log in");
        Files.writeString(root.resolve("open.txt"), "open");
        Files.writeString(root.resolve("session.jsp"), """
                <% session.setMaxInactiveInterval(600); %>
                ${empty pageContext.request.remoteUser ? "nobody" : pageContext.request.remoteUser}
                by ${pageContext.request.authType}""");
        Files.writeString(root.resolve("credential.jsp"), """
                <%@ page import="org.ietf.jgss.GSSCredential" %><%
                GSSCredential given = (GSSCredential) request.getAttribute("org.apache.catalina.realm.GSS_CREDENTIAL");
                out.print("[" + (given == null ? null : given.getName()) + "]"); %>""");
        Files.writeString(root.resolve("META-INF/context.xml"), "<Context>" + context + "</Context>");
        Files.writeString(root.resolve("WEB-INF/web.xml"), """
                <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
                  <security-constraint>
                    <web-resource-collection><web-resource-name>page</web-resource-name>
                      <url-pattern>/page.txt</url-pattern><url-pattern>/credential.jsp</url-pattern></web-resource-collection>
                    <auth-constraint><role-name>clerk</role-name></auth-constraint>
                  </security-constraint>
                  <security-constraint>
                    <web-resource-collection><web-resource-name>all</web-resource-name>
                      <url-pattern>/all/*</url-pattern></web-resource-collection>
                    <auth-constraint><role-name>**</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>SPNEGO</auth-method></login-config>
                  <security-role><role-name>clerk</role-name></security-role>
                </web-app>
                """);
    }

    @AfterAll
    static void stop() {
        if (product != null) {
            product.close();
        }
        if (kdc != null) {
            kdc.close();
        }
    }

    /** What curl prints, head and all. */
    private static String get(Map<String, String> user, String path, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("curl", "-sSi", "--max-time", "60", "--negotiate", "-u", ":"));
        words.addAll(List.of(more));
        words.add(product.url(path));
        return Command.run("", user, words).output();
    }

    @Test
    void admitsTheUserOfATicketAndProvesItself() throws Exception {
        String answer = get(ann, "/plain/page.txt");
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        assertTrue(answer.contains("WWW-Authenticate: Negotiate oY"), answer);
        assertTrue(answer.endsWith("the page"), answer);
    }

    @Test
    void refusesWhoLacksTheRoleOrIsUnknown() throws Exception {
        String other = get(eve, "/plain/page.txt");
        assertTrue(other.contains("HTTP/1.1 403"), other);
        String unknown = get(stranger, "/plain/page.txt");
        assertFalse(unknown.contains("HTTP/1.1 200"), unknown);
        assertFalse(unknown.contains("the page"), unknown);
    }

    @Test
    void looksForTheNameWithItsRealmIfTheRealmSaysSo() throws Exception {
        assertTrue(get(ann, "/whole/page.txt").endsWith("the page"));
        assertFalse(get(eve, "/whole/all/page.txt").contains("for all"));
    }

    @Test
    void takesEverybodyWithATicketIntoAnAuthenticatedUserRealm() throws Exception {
        assertTrue(get(stranger, "/any/all/page.txt").endsWith("for all who log in"));
        String withoutRole = get(ann, "/any/page.txt");
        assertTrue(withoutRole.contains("HTTP/1.1 403"), withoutRole);
    }

    @Test
    void givesTheApplicationWhatTheUserDelegates() throws Exception {
        String delegated = get(ann, "/plain/credential.jsp", "--delegation", "always");
        assertTrue(delegated.contains("[ann@MILLRACE.TEST]"), delegated);
        String kept = get(ann, "/valve/credential.jsp", "--delegation", "always");
        assertTrue(kept.contains("[null]"), kept);
        String withoutDelegation = get(ann, "/plain/credential.jsp");
        assertTrue(withoutDelegation.contains("[null]"), withoutDelegation);
    }

    @Test
    void keepsThatWithTheSession() throws Exception {
        String jar = directory.resolve("cookies").toString();
        String open = get(Map.of(), "/plain/session.jsp", "-c", jar);
        assertTrue(open.contains("nobody"), open);
        get(ann, "/plain/credential.jsp", "--delegation", "always", "-b", jar, "-c", jar);
        String later = Curl.run("-b", jar, product.url("/plain/credential.jsp"));
        assertTrue(later.contains("[ann@MILLRACE.TEST]"), later);
        assertTrue(Curl.run("-b", jar, product.url("/plain/session.jsp")).contains("ann\nby SPNEGO"));
    }

    @Test
    void doesWhatTheValveSays() throws Exception {
        String answer = get(ann, "/valve/page.txt", "-A", "old browser");
        assertTrue(answer.endsWith("the page"), answer);
        assertTrue(answer.contains("Connection: close\r\n"), answer);
        assertFalse(get(ann, "/valve/page.txt").contains("Connection: close"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Negotiate",
                "Negotiate =",
                "Negotiate ???",
                "Negotiate TlRMTVNTUAABAAAAB4IIogAAAAAAAAAAAAAAAAAAAAAKAGFKAAAADw==", // NTLM
                "Negotiate YIIBAAYGKwYBBQUCoIH1MIHy", // truncated
                "Negotiate YA0GBisGAQUFAqADMAEA",
                "Negotiate YP////8=",
                "Basic YW5uOg=="
            })
    void answersWhatIsNoTicketWithTheChallenge(String authorization) throws Exception {
        String answer = Curl.run("-i", "-H", "Authorization: " + authorization, product.url("/plain/page.txt"));
        assertTrue(answer.startsWith("HTTP/1.1 401"), answer);
        assertTrue(answer.contains("WWW-Authenticate: Negotiate"), answer);
    }

    @Test
    void refusesEachTokenThatIsCutOrChanged() throws Exception {
        String page = product.url("/plain/page.txt");
        byte[] token = Base64.getDecoder().decode(ticket());
        for (int at = 0; at < token.length; at += 1 + token.length / 30) {
            refused(Arrays.copyOf(token, at), page);
        }
        // its end is enciphered; of what stands before, names in the clear mean nothing
        for (int at = token.length - 1; at > token.length - ENCIPHERED; at -= 10) {
            byte[] changed = token.clone();
            changed[at] ^= 0x55;
            refused(changed, page);
        }
        assertEquals(
                1,
                product.lines().stream()
                        .filter(line -> line.contains("MILLRACE4802") && line.contains("\"/plain\""))
                        .count(),
                product.output());
        assertFalse(product.has("\tat "), product.output());
    }

    private static void refused(byte[] token, String page) throws Exception {
        int status = Curl.status(
                "-H", "Authorization: Negotiate " + Base64.getEncoder().encodeToString(token), page);
        assertEquals(401, status, Base64.getEncoder().encodeToString(token));
    }

    /** The token of a login that has been made: it can't be used again, nor for another. */
    private static String ticket() throws Exception {
        Command curl = Command.run(
                "",
                ann,
                List.of("curl", "-sSv", "-o", "/dev/null", "--negotiate", "-u", ":", product.url("/plain/page.txt")));
        return curl.output()
                .lines()
                .filter(line -> line.startsWith("> Authorization: Negotiate "))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError(curl.output()));
    }

    @Test
    void refusesATicketTheSecondTime() throws Exception {
        String token = ticket();
        assertEquals(401, Curl.status("-H", "Authorization: Negotiate " + token, product.url("/plain/page.txt")));
    }

    @Test
    void staysClosedWithoutItsKey() throws Exception {
        assertEquals(401, Curl.status(product.url("/keyless/page.txt")));
        assertEquals(200, Curl.status(product.url("/keyless/open.txt")));
        assertTrue(get(ann, "/keyless/page.txt").contains("HTTP/1.1 401"));
        assertTrue(product.awaitLine("Cannot find key").contains("MILLRACE4802"), product.output());
    }

    @Test
    void isUnavailableIfItCannotLogInItself() throws Exception {
        String answer = get(ann, "/locked/page.txt");
        assertTrue(answer.contains("HTTP/1.1 503"), answer);
        product.awaitLine("MILLRACE4801");
        assertFalse(product.has("\tat "), product.output());
    }

    @Test
    void isNotDeployedWithoutItsEntry() throws Exception {
        assertTrue(product.has("the JAAS configuration has no entry \"nowhere\""), product.output());
        assertEquals(503, Curl.status(product.url("/nowhere/open.txt")));
        try (Product check = Product.process().launch("check", "--base", base.toString())) {
            assertEquals(1, check.exitStatus(), check.output());
            assertTrue(check.has("the JAAS configuration has no entry \"nowhere\""), check.output());
            assertTrue(check.has("1 error"), check.output());
            assertTrue(check.has("conf/jaas.conf: used"), check.output());
            assertTrue(check.has("conf/krb5.ini: used"), check.output());
        }
    }

    @Test
    void servesManyAtOnce() throws Exception {
        List<Process> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ProcessBuilder builder = new ProcessBuilder(
                    "curl", "-sS", "--max-time", "60", "--negotiate", "-u", ":", product.url("/plain/page.txt"));
            builder.environment().putAll(ann);
            clients.add(builder.start());
        }
        for (Process client : clients) {
            assertEquals("the page", new String(client.getInputStream().readAllBytes(), UTF_8));
            assertTrue(client.waitFor(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS));
        }
    }
}
