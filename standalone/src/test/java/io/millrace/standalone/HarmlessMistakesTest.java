package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.io.Timers;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.xml.Problems;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only makes less be served, or be logged, does not stop the server: it … */
final class HarmlessMistakesTest {

    @TempDir
    private Path base;

    @BeforeEach
    void makeApplications() throws Exception {
        Files.createDirectories(base.resolve("conf"));
        file("webapps/ROOT/WEB-INF/web.xml", "<web-app/>");
        file("webapps/ROOT/index.html", "root");
        file("a-file", "not a directory");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            <Realm className='org.apache.catalina.realm.MemoryRealm'/> | there is no such file, so nobody can log in
            <Valve className='org.apache.catalina.valves.AccessLogValve' pattern='%h %L'/> | has %L, which is unknown; expected
            <Valve className='org.apache.catalina.valves.JsonAccessLogValve' pattern='%h %{x}Y'/> | it is written as ???Y???
            <Valve className='org.apache.catalina.valves.AccessLogValve' pattern='%h %{x'/> | this access log is not written
            <Valve className='org.apache.catalina.valves.ExtendedAccessLogValve' pattern='colour'/> | this access log is not written
            <Valve className='org.apache.catalina.valves.AccessLogValve' fileDateFormat="'"/> | this access log is not written
            <Valve className='org.apache.catalina.valves.AccessLogValve' directory='a-file'/> | this access log is not written
            <Valve className='org.apache.catalina.valves.AccessLogValve' rotatable='maybe'/> | expected true or false; it is as if it were not there: the default is true
            <Valve className='org.apache.catalina.valves.AccessLogValve' maxDays='x'/> | expected a number from -2147483648 to 2147483647; it is as if
            <Valve className='org.apache.catalina.valves.AccessLogValve' encoding='nonsense'/> | such as UTF-8 or ISO-8859-1; it is as if it were not there
            <Valve className='org.apache.catalina.valves.StuckThreadDetectionValve' threshold='abc'/> | it is as if it were not there: the default is 600
            <Valve className='ch.qos.logback.access.tomcat.LogbackValve'/> | so it writes no log
            <Valve className='org.cloudfoundry.tomcat.logging.access.CloudFoundryAccessLoggingValve'/> | so it writes no log
            <Valve className='com.example.OurAccessLogValve'/> | so it writes no log
            <Context path='' docBase='ROOT'><Valve className='com.orangefunction.tomcat.redissessions.RedisSessionHandlerValve'/></Context> | so sessions are not shared
            <Context path='' docBase='ROOT'><Valve className='tomcat.request.session.redis.SessionHandlerValve'/></Context> | so sessions are not shared
            <Context path='' docBase='ROOT'><Valve className='com.gopivotal.manager.SessionFlushValve'/></Context> | so sessions are not shared
            <Context path='' docBase='ROOT'><Loader className='com.example.Loader'/></Context> | custom classes are not loaded
            <Context path='' docBase='ROOT'><Resources className='com.example.Root'/></Context> | custom classes are not loaded
            <Context path='' docBase='ROOT'><CookieProcessor className='com.example.Cookies'/></Context> | custom classes are not loaded
            <Context path='' docBase='ROOT' swallowOutput='x' startupTime='soon'/> | swallowOutput on Context is ignored
            <Alias>localhost</Alias> | this Host has the name 'localhost' twice
            <Alias>a.example</Alias><Alias>A.example</Alias> | this Host has the name 'A.example' twice
            <Context path='' docBase='ROOT'><CookieProcessor sameSiteCookies='${no.such.property}'/></Context> | has no value, so it is as if it were not there
            """)
    void isServedAndReported(String inHost, String warning) throws Exception {
        serverXml("", "localhost", inHost);
        assertServedWith(warning);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            <Listener className='com.hazelcast.session.P2PLifecycleListener'/> | sessions are not shared with other servers
            <Listener className='org.jboss.modcluster.container.tomcat.ModClusterListener'/> | sessions are not shared
            """)
    void isServedAndReportedInServer(String inServer, String warning) throws Exception {
        serverXml(inServer, "localhost", "");
        assertServedWith(warning);
    }

    /** What has no constraint is served, and what has one is not shown to anybody. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            org.apache.catalina.realm.JAASRealm' userClassNames='a.B' configFile='no.config | no.config: there is no such file
            org.apache.catalina.realm.JAASRealm | Realm has no userClassNames
            org.apache.catalina.realm.JDBCRealm' connectionURL='jdbc:x | Realm has no userTable
            org.apache.catalina.realm.DataSourceRealm' dataSourceName='no' userTable='u' userNameCol='n' userCredCol='c | has no Resource of that name with a url
            org.apache.catalina.realm.JNDIRealm' connectionURL='ldap://localhost | JNDIRealm needs userPattern or userSearch
            org.apache.catalina.realm.UserDatabaseRealm' resourceName='no | GlobalNamingResources has no Resource of that name
            org.apache.catalina.realm.MemoryRealm' pathname='a-file | a-file
            org.apache.catalina.realm.LockOutRealm' failureCount='0 | expected a number
            org.apache.catalina.realm.NullRealm' allRolesMode='x' alRolesMode='y | alRolesMode
            com.example.OurRealm | there is no such realm
            """)
    void losesOnlyLoginsByTheRealmOfAnApplication(String realm, String error) throws Exception {
        String element = "<Realm className='" + realm + "'/>";
        file("webapps/ROOT/META-INF/context.xml", "<Context>" + element + "</Context>");
        serverXml("", "localhost", "");
        assertServedWithoutLogins(error);
        file("webapps/ROOT/META-INF/context.xml", "<Context/>");
        serverXml(
                "",
                "localhost",
                "<Context path='' docBase='ROOT'><Realm className='org.apache.catalina.realm.CombinedRealm'>" + element
                        + "</Realm></Context>");
        assertServedWithoutLogins(error);
    }

    private void assertServedWithoutLogins(String error) throws Exception {
        file("webapps/ROOT/secret.html", "secret");
        file("webapps/ROOT/WEB-INF/web.xml", """
                <web-app><security-constraint><web-resource-collection><web-resource-name>a</web-resource-name>
                <url-pattern>/secret.html</url-pattern></web-resource-collection><auth-constraint><role-name>*</role-name>
                </auth-constraint></security-constraint><login-config><auth-method>BASIC</auth-method></login-config>
                <security-role><role-name>r</role-name></security-role></web-app>""");
        StringWriter said = new StringWriter();
        assertEquals(1, check(said), said.toString());
        assertTrue(said.toString().contains(error), said.toString());
        assertTrue(said.toString().contains("; nobody can log in by this Realm"), said.toString());
        serve(server -> {
            assertTrue(server.failures().isEmpty());
            assertEquals(200, status(server, "/index.html", null));
            assertEquals(401, status(server, "/secret.html", null));
            assertEquals(503, status(server, "/secret.html", "Basic YTpi"));
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            dataSourceName='no' | there is no Resource of that name in GlobalNamingResources
            dataSourceName='no' localDataSource='true' | there is no Resource of that name in its Context
            connectionURL='jdbc:x:y' driverName='com.example.Driver' | which the server does not have
            `` | JDBCStore has neither dataSourceName nor connectionURL
            connectionURL='jdbc:x:y' sessionTable='a b' | expected the name of a table or column
            connectionURL='jdbc:x:y' conectionName='c' | ``
            """)
    void losesOnlySessionsByTheStoreOfAnApplication(String store, String error) throws Exception {
        file(
                "webapps/ROOT/META-INF/context.xml",
                "<Context><Valve className='org.apache.catalina.valves.PersistentValve'/>"
                        + "<Manager className='org.apache.catalina.session.PersistentManager'>"
                        + "<Store className='org.apache.catalina.session.JDBCStore' " + store
                        + "/></Manager></Context>");
        serverXml("", "localhost", "");
        StringWriter said = new StringWriter();
        assertEquals(error.isEmpty() ? 0 : 1, check(said), said.toString());
        assertTrue(said.toString().contains(error), said.toString());
        serve(server -> {
            assertTrue(server.failures().isEmpty());
            assertEquals(200, status(server, "/index.html", null));
        });
    }

    private static int status(Server server, String path, @Nullable String authorization) throws Exception {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + server.port() + path).toURL().openConnection();
        if (authorization != null) {
            connection.setRequestProperty("Authorization", authorization);
        }
        return connection.getResponseCode();
    }

    @Test
    void takesTheOnlyHostForTheDefaultOne() throws Exception {
        serverXml("", "renamed", "");
        assertServedWith("so the only Host, localhost, is the default");
    }

    @Test
    void writesAnAccessLogToAFileInWhoseDirectoryNoneCanBeMade() throws Exception {
        String log = "<Valve className='org.apache.catalina.valves.AccessLogValve' directory='/dev' prefix='null'"
                + " suffix='' rotatable='false'/>";
        serverXml("", "localhost", log);
        String said = check();
        assertTrue(said.endsWith("no errors, no warnings\n"), said);
        serve(server -> assertTrue(server.failures().isEmpty()));
        serverXml("", "localhost", log.replace("/dev", ".").replace("null", "webapps"));
        assertServedWith("webapps cannot be written to by this user");
    }

    @Test
    void usesTemporaryDirectoriesWhereTheWorkDirectoryIsNone() throws Exception {
        file("work", "not a directory");
        serverXml("", "localhost", "");
        assertServedWith("so temporary directories are used");
    }

    @Test
    void usesTheWorkDirectoryOfTheHost() throws Exception {
        file("work", "not a directory");
        serverXml("", "localhost", "");
        Path file = base.resolve("conf/server.xml");
        Files.writeString(file, Files.readString(file).replace("autoDeploy=", "workDir='elsewhere' autoDeploy="));
        String said = check();
        assertTrue(said.endsWith("no errors, no warnings\n"), said);
        serve(server -> assertTrue(Files.isDirectory(base.resolve("elsewhere/ROOT"))));
    }

    @Test
    void usesTheDefaultWorkDirectoryIfThatOfTheHostIsEmpty() throws Exception {
        serverXml("", "localhost", "");
        Path file = base.resolve("conf/server.xml");
        Files.writeString(file, Files.readString(file).replace("autoDeploy=", "workDir='' autoDeploy="));
        serve(server -> assertTrue(Files.isDirectory(base.resolve("work/localhost/ROOT"))));
    }

    @Test
    void namesFilesThatWereEditedBesideTheirWar() throws Exception {
        Path war = base.resolve("webapps/geo.war");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(war))) {
            jar.putNextEntry(new ZipEntry("index.html"));
        }
        file("webapps/geo/index.html", "");
        Files.setLastModifiedTime(base.resolve("webapps/geo/index.html"), Files.getLastModifiedTime(war));
        serverXml("", "localhost", "");
        String before = check();
        assertTrue(before.endsWith("no errors, no warnings\n"), before);
        file("webapps/geo/data/edited.xml", "");
        Files.setLastModifiedTime(
                base.resolve("webapps/geo/data/edited.xml"),
                FileTime.fromMillis(Files.getLastModifiedTime(war).toMillis() + 2000));
        assertServedWith(
                "files in the directory geo, such as data/edited.xml, are newer than geo.war and are not used");
    }

    @Test
    void namesApplicationsThatAContextTakesOutOfAppBase() throws Exception {
        file("webapps/shop/index.html", "shop");
        serverXml("", "localhost", "<Context path='/other' docBase='shop'/>");
        assertServedWith("webapps/shop is deployed as \"/other\" only; Tomcat would also deploy it as \"/shop\"");
    }

    @Test
    void namesFactoriesThatAreNotInstalled() throws Exception {
        file(
                "webapps/ROOT/META-INF/context.xml",
                "<Context><Resource name='x' type='com.example.X' factory='com.example.Absent'/></Context>");
        serverXml("", "localhost", "");
        assertServedWith("the factory com.example.Absent of Resource x is not installed");
    }

    @Test
    void namesPlaceholdersOfDescriptorsThatAreNotSet() throws Exception {
        file(
                "webapps/ROOT/WEB-INF/web.xml",
                "<web-app><context-param><param-name>a</param-name><param-value>${no.such.property}</param-value>"
                        + "</context-param></web-app>");
        serverXml("", "localhost", "");
        assertServedWith("no system property is named 'no.such.property'");
    }

    @Test
    void isNotThatNothingAtAllCanBeServed() throws Exception {
        file("webapps/ROOT/WEB-INF/web.xml", "<web-app>");
        serverXml("", "localhost", "");
        try (Timers timers = new Timers("timers of a test");
                SharedResources shared =
                        new SharedResources(new BaseDirectory(base).classes().server())) {
            Launcher launcher = new Launcher(new PrintWriter(new StringWriter()), action -> {});
            Launcher.Plan plan = plan(timers, shared);
            String message = assertThrows(OperatorException.class, () -> launcher.run(List.of(plan)))
                    .getMessage();
            assertTrue(String.valueOf(message).startsWith("no web application could be started"), message);
        }
    }

    @Test
    void isNotAPlaceholderInAUsersFile() throws Exception {
        serverXml("", "localhost", "<Realm className='org.apache.catalina.realm.MemoryRealm'/>");
        file(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='a' password='${no.such.property}' roles='b'/></tomcat-users>");
        StringWriter said = new StringWriter();
        assertEquals(1, check(said), said.toString());
        assertTrue(
                said.toString().contains("password of <user> has the placeholder ${no.such.property}"),
                said.toString());
        try (Timers timers = new Timers("timers of a test");
                SharedResources shared =
                        new SharedResources(new BaseDirectory(base).classes().server())) {
            assertThrows(OperatorException.class, () -> plan(timers, shared));
        }
    }

    private void file(String name, String text) throws Exception {
        Path file = base.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private void serverXml(String inServer, String defaultHost, String inHost) throws Exception {
        file("conf/server.xml", """
                <Server>%s<Service><Connector port="0" address="127.0.0.1"/><Engine defaultHost="%s">
                <Host name="localhost" autoDeploy="false">%s</Host></Engine></Service></Server>
                """.formatted(inServer, defaultHost, inHost));
    }

    private void assertServedWith(String warning) throws Exception {
        String said = check();
        assertTrue(said.contains("warning: ") && said.contains(warning), said);
        serve(server -> {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/index.html");
            assertEquals(200, ((HttpURLConnection) uri.toURL().openConnection()).getResponseCode());
        });
    }

    private interface Visit {
        void to(Server server) throws Exception;
    }

    private void serve(Visit visit) throws Exception {
        try (Timers timers = new Timers("timers of a test");
                SharedResources shared =
                        new SharedResources(new BaseDirectory(base).classes().server())) {
            Launcher.Plan plan = plan(timers, shared);
            Server server = plan.start();
            try {
                visit.to(server);
            } finally {
                server.stop(Duration.ZERO);
                plan.pools().close();
            }
        }
    }

    private Launcher.Plan plan(Timers timers, SharedResources shared) throws OperatorException {
        BaseDirectory directory = new BaseDirectory(base);
        ServerConfig config = Objects.requireNonNull(directory.read(directory.serverXml(), new Problems("server.xml")));
        return new ServiceFactory(directory, timers, shared)
                .plan(config.services().get(0));
    }

    private String check() throws Exception {
        StringWriter said = new StringWriter();
        assertEquals(0, check(said), said.toString());
        return said.toString();
    }

    private int check(StringWriter said) throws Exception {
        PrintWriter out = new PrintWriter(said, true);
        return new CommandLine("millrace", "", List.of(new CheckCommand(out)))
                .execute(out, out, "check", "--base", base.toString());
    }
}
