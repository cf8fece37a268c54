package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.files.CacheLimits;
import io.millrace.files.SymbolicLinks;
import io.millrace.servlet.deploy.JarFilter;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.ResourceMount;
import io.millrace.servlet.resource.ResourceMount.Kind;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.SameSite;
import io.millrace.standalone.config.context.SessionKinds;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Context elements of an application … */
final class ContextFilesTest {

    @TempDir
    private Path base = Path.of("");

    private Path war = Path.of("");

    @BeforeEach
    void makeDirectories() throws IOException {
        Files.createDirectories(base.resolve("conf/Catalina/localhost"));
        war = base.resolve("webapps/shop");
        Files.createDirectories(war.resolve("META-INF"));
    }

    private void file(String name, String content) throws IOException {
        Files.writeString(base.resolve(name), content);
    }

    private ContextReading reading() {
        return ContextFiles.of(base, base.resolve("conf/Catalina/localhost"), List.of(), true)
                .read("shop", war);
    }

    @Test
    void areLaidOverEachOther() throws IOException {
        file("conf/context.xml", """
                <Context sessionCookieName="A" sessionCookiePath="/a" sessionCookieDomain="a" cookies="false">
                  <WatchedResource>WEB-INF/web.xml</WatchedResource>
                  <Manager pathname="a"/>
                  <Parameter name="p" value="a"/>
                  <Parameter name="q" value="a"/>
                </Context>
                """);
        file("conf/Catalina/localhost/context.xml.default", """
                <Context sessionCookieName="B" sessionCookiePath="/b">
                  <CookieProcessor sameSiteCookies="Strict"/>
                </Context>
                """);
        file("webapps/shop/META-INF/context.xml", """
                <Context sessionCookieName="C" useRelativeRedirects="false">
                  <Manager maxActiveSessions="7"/>
                  <Loader delegate="true"/>
                  <Parameter name="p" value="c"/>
                </Context>
                """);
        ContextReading reading = reading();
        ContextSettings settings = reading.settings();
        assertNull(reading.defect());
        assertEquals(List.of(), reading.problems());
        assertEquals("C", settings.find(SessionSettings.SESSION_COOKIE_NAME));
        assertEquals("/b", settings.find(SessionSettings.SESSION_COOKIE_PATH));
        assertEquals("a", settings.find(SessionSettings.SESSION_COOKIE_DOMAIN));
        assertEquals(false, settings.find(SessionSettings.COOKIES));
        assertEquals(true, settings.find(SessionSettings.USE_HTTP_ONLY), "as nobody says otherwise");
        assertEquals(SameSite.STRICT, settings.options().get(ContextOptions.SAME_SITE_COOKIES));
        assertFalse(settings.options().get(ContextOptions.CROSS_CONTEXT), "as nobody says otherwise");
        assertFalse(settings.options().get(ContextOptions.USE_RELATIVE_REDIRECTS));
        assertEquals(7, settings.manager().get(SessionSettings.MAX_ACTIVE_SESSIONS));
        assertEquals("SESSIONS.ser", settings.manager().get(SessionKinds.PATHNAME), "an element replaces an element");
        assertTrue(settings.options().get(ContextOptions.DELEGATE));
        assertEquals(
                List.of("c", "a"),
                settings.parameters().stream()
                        .map(value -> value.shown("value"))
                        .toList());
    }

    @Test
    void sayWhatIsKeptOfFiles() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <Resources cacheMaxSize="20480" cacheTtl="1000" trackLockedFiles="true" cacheSize="1"/>
                </Context>
                """);
        ContextReading reading = reading();
        CacheLimits files = reading.settings().fileCache();
        assertEquals(20480 << 10, files.bytes(), "in KiB, and allowed, as nobody says otherwise");
        assertEquals(Duration.ofSeconds(1), files.freshness());
        assertEquals(
                SymbolicLinks.INSIDE,
                reading.settings().options().get(ContextOptions.ALLOW_LINKING),
                "as nobody says otherwise");
        String problems = reading.problems().toString();
        assertTrue(problems.contains("unknown attribute 'cacheSize' on Resources"), problems);
        assertEquals(1, reading.problems().size(), problems);
    }

    @Test
    void mayBringFilesFromElsewhere() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <Resources>
                    <PreResources className="org.apache.catalina.webresources.DirResourceSet" base="overlay"
                      internalPath="/web" webAppMount="/img"/>
                    <PostResources className="org.apache.catalina.webresources.FileResourceSet" base="/etc/hosts"
                      webAppMount="/WEB-INF/hosts" classLoaderOnly="false" readOnly="true"/>
                    <JarResources className="org.apache.catalina.webresources.JarResourceSet" base="/a.jar"
                      internalPath="/META-INF/resources" staticOnly="true"/>
                  </Resources>
                </Context>
                """);
        ContextReading reading = reading();
        assertEquals(List.of(), reading.problems());
        Path overlay = base.resolve("overlay").toAbsolutePath();
        assertEquals(
                new ExtraResources(
                        List.of(new ResourceMount(Kind.DIRECTORY, overlay, "/web", "/img", false, false)),
                        List.of(new ResourceMount(Kind.JAR, Path.of("/a.jar"), "/META-INF/resources", "", false, true)),
                        List.of(new ResourceMount(
                                Kind.FILE, Path.of("/etc/hosts"), "", "/WEB-INF/hosts", false, false))),
                reading.settings().extraResources(base));
        String defect = reading.settings().extraResourcesDefect(base);
        assertEquals(
                "its Resources name " + overlay + ": expected a directory with /web in it that this user may read",
                defect);
        Files.createDirectories(overlay.resolve("web"));
        assertTrue(String.valueOf(reading.settings().extraResourcesDefect(base)).contains("/a.jar: expected a jar"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            PreResources className="org.apache.catalina.webresources.DirResourceSet" | PreResources has no className or no base
            PostResources base="/x" | PostResources has no className or no base
            PreResources className="org.apache.catalina.webresources.EmptyResourceSet" base="x" | expected DirResourceSet, FileResourceSet
            PreResources className="org.apache.catalina.webresources.FileResourceSet" base="x" | needs a webAppMount
            PreResources className="org.apache.catalina.webresources.DirResourceSet" base="x" webAppMount="img" | expected a path that begins with a slash
            PreResources className="org.apache.catalina.webresources.DirResourceSet" base="x" webAppMount="/a/../b" | expected a path that begins with a slash
            PreResources className="org.apache.catalina.webresources.DirResourceSet" base="x" internalPath="/a/" | expected a path that begins with a slash
            PreResources className="org.apache.catalina.webresources.DirResourceSet" base="x" webAppMont="/a" | did you mean 'webAppMount'
            PreResource className="org.apache.catalina.webresources.DirResourceSet" base="x" | unknown element 'PreResource'
            PreResources className="org.apache.catalina.webresources.DirResourceSet" base="x" staticOnly="true" classLoaderOnly="true" | its files would not be visible
            """)
    void areRefusedIfTheyCouldBringAnythingElse(String element, String why) throws IOException {
        file("webapps/shop/META-INF/context.xml", "<Context><Resources><" + element + "/></Resources></Context>");
        String defect = String.valueOf(reading().defect());
        assertTrue(defect.contains("error: ") && defect.contains(why), defect);
    }

    @Test
    void sayWhichAttributesOfAPoolAreIgnored() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <Resource name="jdbc/a" type="javax.sql.DataSource" url="x" auth="Container" maxActive="7"
                    factory="org.apache.tomcat.jdbc.pool.DataSourceFactory" testWhileIdle="true" fairQueue="true"
                    jdbcInterceptors="ConnectionState"
                    validationInterval="30000"/>
                  <Resource name="jdbc/b" type="javax.sql.DataSource" url="x" maxTotl="7"/>
                  <Resource name="other" type="a.B" factory="a.Factory" maxTotl="7"/>
                </Context>
                """);
        List<Problem> problems = reading().problems();
        assertEquals(3, problems.size(), problems::toString);
        String text = problems.toString();
        assertTrue(
                text.contains(
                        "4: warning: jdbcInterceptors on Resource jdbc/a is ignored unless tomcat-jdbc.jar is in lib: "),
                text);
        assertTrue(
                text.contains(
                        "5: warning: validationInterval on Resource jdbc/a is ignored unless tomcat-jdbc.jar is in lib: "),
                text);
        assertTrue(text.contains("'maxTotl' on Resource jdbc/b; did you mean 'maxTotal'?"), text);
    }

    private static Element read(XmlElement element) {
        return new ElementReader(Vocabulary::of, new Problems("server.xml")).read(element);
    }

    private ContextReading readingWithGlobals() {
        XmlElement pool = new XmlElement(
                "Resource",
                1,
                "line 1",
                List.of(
                        new XmlElement.Attribute("name", "jdbc/all", 1),
                        new XmlElement.Attribute("url", "jdbc:all", 1)),
                List.of(),
                "");
        XmlElement value = new XmlElement(
                "Environment",
                2,
                "line 2",
                List.of(
                        new XmlElement.Attribute("name", "limit", 1),
                        new XmlElement.Attribute("type", "java.lang.Integer", 1),
                        new XmlElement.Attribute("value", "7", 1)),
                List.of(),
                "");
        return ContextFiles.of(base, base.resolve("conf/Catalina/localhost"), List.of(read(pool), read(value)), true)
                .read("shop", war);
    }

    @Test
    void leadToResourcesOfTheServerByLinks() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <ResourceLink name="jdbc/shop" global="jdbc/all" type="javax.sql.DataSource"/>
                  <ResourceLink name="shop/limit" global="limit" type="java.lang.Integer"/>
                </Context>
                """);
        ContextReading reading = readingWithGlobals();
        assertNull(reading.defect());
        assertEquals(List.of(), reading.problems());
        assertEquals(
                Map.of("jdbc/shop", Map.of("name", "jdbc/all", "url", "jdbc:all")),
                reading.settings().linkedResources());
        assertEquals(
                "7",
                Objects.requireNonNull(reading.settings().linkedEnvironments().get("shop/limit"))
                        .shown("value"));
    }

    @Test
    void isReportedIfItLeadsToAResourceThatTheServerDoesNotHave() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <ResourceLink name="jdbc/shop" global="jdbc/al" type="javax.sql.DataSource"/>
                </Context>
                """);
        assertEquals(
                List.of(
                        "the ResourceLink \"jdbc/shop\" in line 2 of its Context refers to \"jdbc/al\", which GlobalNamingResources"
                                + " of server.xml does not have, so that looking it up fails; did you mean 'jdbc/all'?"),
                readingWithGlobals().deadLinks());
        assertNull(readingWithGlobals().defect());
    }

    /** The application would have the rights of the pool's user instead. */
    @Test
    void mayNotAskForConnectionsOfAnotherUser() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <ResourceLink name="jdbc/shop" global="jdbc/all" type="javax.sql.DataSource" username="reader"
                      password="x" factory="org.apache.naming.factory.DataSourceLinkFactory"/>
                </Context>
                """);
        ContextReading reading = readingWithGlobals();
        assertNull(reading.defect());
        assertTrue(
                reading.deadLinks().toString().contains("define a separate Resource for the application"),
                () -> reading.deadLinks().toString());
        assertEquals(Map.of(), reading.settings().linkedResources());
    }

    @Test
    void mayHaveMailSessionsAndTransactionsOfAFactory() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <Resource name="mail/s" type="javax.mail.Session" mail.smtp.host="localhost"/>
                  <Transaction factory="some.Factory"/>
                </Context>
                """);
        assertEquals(List.of(), reading().problems());
        assertEquals(Map.of("factory", "some.Factory"), reading().settings().transaction());
    }

    @Test
    void sayWhatToDoWhereAnElementHasNoEffect() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <Resource name="ejb/s" type="shop.Home" factory="org.apache.naming.factory.EjbFactory"/>
                  <Resource name="x" type="shop.X" factory="org.apache.naming.factory.LookupFactory"/>
                  <Transaction/>
                </Context>
                """);
        String problems = reading().problems().toString();
        for (String expected :
                List.of("EJBs are not supported", "use a ResourceLink", "there is no built-in transaction manager")) {
            assertTrue(problems.contains(expected), problems);
        }
    }

    @Test
    void sayHowLoginsWork() throws IOException {
        file(
                "conf/context.xml",
                "<Context><Valve className='org.apache.catalina.authenticator.BasicAuthenticator'/>" + "</Context>");
        assertFalse(Objects.requireNonNull(reading().settings().authenticator())
                .get(LoginOptions.SECURE_PAGES_WITH_PRAGMA));
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <Valve className="org.apache.catalina.authenticator.DigestAuthenticator" algorithms="MD5"
                    nonceValidity="1000" opaque="x"/>
                </Context>
                """);
        ContextReading reading = reading();
        Element valve = Objects.requireNonNull(reading.settings().authenticator());
        assertEquals("MD5", valve.shown("algorithms"));
        assertEquals("1000", valve.shown("nonceValidity"));
        assertEquals(
                List.of("shop META-INF/context.xml:3: warning: opaque on Valve is ignored"),
                reading.problems().stream().map(Problem::toString).toList());
    }

    @Test
    void leaveTheDefaultsOutIfTheyOverrideThem() throws IOException {
        file("conf/context.xml", "<Context sessionCookieName='A'/>");
        file("webapps/shop/META-INF/context.xml", "<Context override='true' sessionCookiePath='/c'/>");
        ContextSettings settings = reading().settings();
        assertEquals("", settings.find(SessionSettings.SESSION_COOKIE_NAME));
        assertEquals("/c", settings.find(SessionSettings.SESSION_COOKIE_PATH));
    }

    @Test
    void areTheOperatorsWhereTheOperatorHasAFile() throws IOException {
        file("webapps/shop/META-INF/context.xml", "<Context sessionCookieName='C' sessionCookiePath='/c'/>");
        file("conf/Catalina/localhost/shop.xml", "<Context sessionCookieName='D'/>");
        ContextSettings settings = reading().settings();
        assertEquals("D", settings.find(SessionSettings.SESSION_COOKIE_NAME));
        assertEquals(
                "", settings.find(SessionSettings.SESSION_COOKIE_PATH), "what the application brings is not read then");
    }

    @Test
    void areReadFromAPackedWar() throws IOException {
        war = base.resolve("webapps/packed.war");
        try (OutputStream out = Files.newOutputStream(war);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("META-INF/context.xml"));
            zip.write("<Context sessionCookieName='Z'/>".getBytes(StandardCharsets.UTF_8));
        }
        assertEquals("Z", reading().settings().find(SessionSettings.SESSION_COOKIE_NAME));
        ContextFiles alone = ContextFiles.inApplicationsAlone(base);
        assertEquals("Z", alone.read("packed", war).settings().find(SessionSettings.SESSION_COOKIE_NAME));
    }

    @Test
    void sayWhichLibrariesAreLookedInto() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context>
                  <JarScanner scanManifest="false" className="com.example.Scanner">
                    <JarScanFilter pluggabilitySkip="*.jar" pluggabilityScan="spring*.jar" defaultTldScan="false" tldScan="t.jar"/>
                  </JarScanner>
                </Context>
                """);
        ContextReading reading = reading();
        JarFilter filter = reading.settings().jarFilter();
        assertTrue(filter.pluggability().test("spring-web.jar"));
        assertFalse(filter.pluggability().test("other.jar"));
        assertTrue(filter.taglibs().test("t.jar"));
        assertFalse(filter.taglibs().test("spring-web.jar"));
        assertEquals(1, reading.problems().size());
        assertTrue(
                reading.problems().get(0).text().contains("className"),
                reading.problems().toString());
    }

    @Test
    void mayHoldWhatIsNotKnown() throws IOException {
        file("webapps/shop/META-INF/context.xml", """
                <Context speed="high" sessionCookieName="C" path="/x">
                  <Valve className="org.apache.catalina.valves.JDBCAccessLogValve"/>
                  <Furniture/>
                  <JarScanner><JarScanFilter tldSkip="*.jar"/></JarScanner>
                  <Resources cachingAllowed="false"/>
                </Context>
                """);
        ContextReading reading = reading();
        assertNull(reading.defect());
        assertEquals("C", reading.settings().find(SessionSettings.SESSION_COOKIE_NAME));
        String problems = reading.problems().toString();
        assertTrue(problems.contains("shop META-INF/context.xml:1: warning: unknown attribute 'speed'"), problems);
        assertTrue(problems.contains("JDBCAccessLogValve is ignored"), problems);
        assertTrue(problems.contains("Furniture"), problems);
        assertFalse(problems.contains("JarScan"), problems);
        assertFalse(problems.contains("cachingAllowed"), problems);
    }

    @Test
    void areADefectIfTheyAreNoXml() throws IOException {
        for (String wrong :
                List.of("<Context>", "", "<Server/>", "<!DOCTYPE Context [<!ELEMENT Context ANY>]><Context/>")) {
            file("webapps/shop/META-INF/context.xml", wrong);
            String defect = reading().defect();
            assertNotNull(defect, wrong);
            assertTrue(defect.startsWith("shop META-INF/context.xml:"), defect);
        }
    }

    @Test
    void areADefectByTheirErrorAndNotByTheWarningBeforeIt() throws IOException {
        file(
                "webapps/shop/META-INF/context.xml",
                "<Context bogus='1'>\n<Valve className='com.example.Own'/></Context>");
        String defect = String.valueOf(reading().defect());
        assertTrue(defect.startsWith("shop META-INF/context.xml:2: error: "), defect);
    }

    @Test
    void knowTheBaseDirectory() throws IOException {
        System.setProperty("catalina.base", base.toString()); // a start within this JVM may have set another
        file("conf/Catalina/localhost/shop.xml", "<Context sessionCookieName='${catalina.base}'/>");
        assertEquals(base.toString(), reading().settings().find(SessionSettings.SESSION_COOKIE_NAME));
    }
}
