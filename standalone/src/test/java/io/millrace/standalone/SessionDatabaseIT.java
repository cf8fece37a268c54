package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions in a database, as a PersistentManager with a JDBCStore has them … */
final class SessionDatabaseIT {

    /** The time is that of a database whose classes are loaded for the first connection, on a busy machine. */
    private static final String MANAGER =
            "<Manager className=\"org.apache.catalina.session.PersistentManager\" storeTimeout=\"20000\"><Store className=\"org.apache.catalina.session.JDBCStore\" %s/></Manager>";

    private static final String COLUMNS =
            "sessionTable=\"tomcat_sessions\" sessionAppCol=\"app_name\" sessionIdCol=\"session_id\" sessionDataCol=\"session_data\""
                    + " sessionValidCol=\"valid_session\" sessionMaxInactiveCol=\"max_inactive\" sessionLastAccessedCol=\"last_access\"";
    private static final String COUNT = "<% Integer seen = (Integer) session.getAttribute(\"seen\");"
            + " session.setAttribute(\"seen\", seen == null ? 1 : seen + 1); %><%= session.getAttribute(\"seen\") %>";

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeBase() throws Exception {
        file("one/webapps/shop/count.jsp", COUNT);
        file("one/conf/catalina.properties", "h2.bindAddress=127.0.0.1\n");
    }

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private void driver(String directory) throws IOException, URISyntaxException, ClassNotFoundException {
        Path jar = Path.of(Class.forName("org.h2.Driver")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Files.copy(
                jar, Files.createDirectories(base.resolve(directory + "/lib")).resolve("h2.jar"));
    }

    /** In the process that opens it first, which may be killed. Each connection makes the table if it is not there. */
    private String url() {
        return "jdbc:h2:" + base.resolve("sessions")
                + ";AUTO_SERVER=TRUE;WRITE_DELAY=0;INIT=CREATE TABLE IF NOT EXISTS tomcat_sessions"
                + " (session_id VARCHAR(100) NOT NULL, valid_session CHAR(1) NOT NULL, max_inactive INT NOT NULL,"
                + " last_access BIGINT NOT NULL, app_name VARCHAR(255) NOT NULL, session_data BLOB, PRIMARY KEY (app_name, session_id))";
    }

    private void server(String global, String inHost) throws IOException {
        file("one/conf/server.xml", """
                <Server><GlobalNamingResources>%s</GlobalNamingResources>
                <Service name="Catalina"><Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost"><Host name="localhost">%s</Host></Engine>
                </Service></Server>
                """.formatted(global, inHost));
    }

    private void context(String content) throws IOException {
        file("one/webapps/shop/META-INF/context.xml", "<Context>" + content + "</Context>");
    }

    private Product start(String directory) throws IOException {
        return Product.serving("start", "--base=" + base.resolve(directory));
    }

    private String count(Product product) throws Exception {
        String cookies = base.resolve("cookies").toString();
        return Curl.run("-b", cookies, "-c", cookies, product.url("/shop/count.jsp"))
                .strip();
    }

    /** The first call opens the database, for which a server waits no longer than for others. */
    private String firstCount(Product product) throws Exception {
        String[] answer = {""};
        Deadline.await("the database", () -> {
            try {
                answer[0] = count(product);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            return !answer[0].contains("503 Service Unavailable");
        });
        return answer[0];
    }

    @SuppressWarnings("try") // the first server is killed
    @Test
    void followTheirVisitorsFromServerToServer() throws Exception {
        driver("one");
        server(
                "<Resource name=\"jdbc/sessions\" type=\"javax.sql.DataSource\" driverClassName=\"org.h2.Driver\" url=\""
                        + url() + "\" username=\"sa\" password=\"\"/>",
                "<Valve className=\"org.apache.catalina.valves.PersistentValve\" filter=\".*\\.gif\"/>");
        context(MANAGER.formatted("dataSourceName=\"jdbc/sessions\" " + COLUMNS));
        for (String file : new String[] {
            "conf/server.xml",
            "conf/catalina.properties",
            "webapps/shop/count.jsp",
            "webapps/shop/META-INF/context.xml",
            "lib/h2.jar"
        }) {
            Path copy = base.resolve("two").resolve(file);
            Files.createDirectories(copy.resolveSibling("."));
            Files.copy(base.resolve("one").resolve(file), copy);
        }
        try (Product one = start("one");
                Product two = start("two")) {
            assertEquals("1", firstCount(one));
            assertEquals("2", firstCount(two));
            assertEquals("3", count(two));
            assertEquals("4", count(one));
            one.close();
            assertEquals("5", count(two));
        }
    }

    @Test
    void outlastARestart() throws Exception {
        driver("one");
        server("", "");
        context(MANAGER.formatted(
                "driverName=\"org.h2.Driver\" connectionName=\"sa\" connectionURL=\"" + url() + "\" " + COLUMNS));
        try (Product product = start("one")) {
            assertEquals("1", count(product));
            assertEquals(0, product.terminate().exitStatus(), product.output());
        }
        try (Product product = start("one")) {
            assertEquals("2", count(product));
        }
    }

    @Test
    void keepAnApplicationAwayWhoseDatabaseIsNotThere() throws Exception {
        file("one/webapps/ROOT/index.html", "root");
        server("", "");
        context(MANAGER.formatted("dataSourceName=\"jdbc/sessions\""));
        assertRefused(
                "dataSourceName=\"jdbc/sessions\" on Store: there is no Resource of that name in GlobalNamingResources");
        context(MANAGER.formatted("localDataSource=\"true\" dataSourceName=\"jdbc/sessions\""));
        assertRefused("there is no Resource of that name in its Context");
        context(MANAGER.formatted("driverName=\"com.example.Driver\" connectionURL=\"jdbc:x:y\""));
        assertRefused("needs com.example.Driver, which the server does not have; put the driver's jar into lib");
        context(MANAGER.formatted(""));
        assertRefused("JDBCStore has neither dataSourceName nor connectionURL");
        context(MANAGER.formatted("connectionURL=\"jdbc:x:y\" sessionTable=\"a b\""));
        assertRefused("expected the name of a table or column");
    }

    private void assertRefused(String reason) throws Exception {
        try (Product product = Product.launch("check", "--base=" + base.resolve("one"))) {
            assertEquals(1, product.exitStatus(), product.output());
            assertTrue(product.output().contains(reason), product.output());
        }
    }
}
