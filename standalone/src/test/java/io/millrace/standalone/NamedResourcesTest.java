package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.standalone.config.ContextFiles;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.TomcatFactories;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.sql.DataSource;
import org.apache.tomcat.dbcp.dbcp2.BasicDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources that a context.xml names … */
@SuppressWarnings("BanJNDI") // what is tested
final class NamedResourcesTest {

    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final AtomicInteger CLOSED = new AtomicInteger();

    @TempDir
    private Path directory = Path.of("");

    private ContextSettings context(String content) throws IOException {
        Path inside = Files.createDirectories(directory.resolve("META-INF"));
        Files.writeString(inside.resolve("context.xml"), "<Context>" + content + "</Context>");
        return ContextFiles.inApplicationsAlone(directory)
                .read("app", directory)
                .settings();
    }

    /** Asks JNDI for the name in the query. */
    private static final class Lookup extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                String name = request.getParameter("name");
                Object found = new InitialContext().lookup(name.startsWith("java:") ? name : "java:comp/env/" + name);
                if (found instanceof DataSource pool) {
                    try (Connection connection = pool.getConnection()) {
                        found = connection.getCatalog();
                    }
                }
                response.getWriter().print(found);
            } catch (NamingException | SQLException e) {
                response.getWriter().print(e);
            }
        }
    }

    private static Server serving(ContextSettings context) throws IOException {
        WebApplication application =
                WebApplication.builder("").servlet("lookup", new Lookup(), "/").build();
        NamedResources.add(context, application, new SharedResources(NamedResourcesTest.class.getClassLoader()));
        return Server.builder().port(0).application(application).start();
    }

    private static String lookup(Server server, String name) throws IOException {
        URI uri = URI.create("http://localhost:" + server.port() + "/?name=" + name);
        try (var in = uri.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Tomcat's factory is not there; the application has no such name, as check says. */
    @Test
    void areNoUserDatabase() {
        assertFalse(TomcatFactories.isMade(
                "org.apache.catalina.UserDatabase", "org.apache.catalina.users.MemoryUserDatabaseFactory"));
    }

    @Test
    void arePoolsOfConnections() throws IOException {
        ContextSettings context = context("<Resource name='jdbc/shop' type='javax.sql.DataSource' auth='Container'"
                + " driverClassName='" + TestDriver.class.getName() + "' url='jdbc:test:x' maxActive='2'/>");
        try (Server server = serving(context)) {
            assertEquals("jdbc:test:x", lookup(server, "jdbc/shop"));
            int opened = OPENED.get();
            assertEquals("jdbc:test:x", lookup(server, "jdbc/shop"));
            assertEquals(opened, OPENED.get(), "it was pooled");
        }
        assertEquals(OPENED.get(), CLOSED.get(), "with the application");
    }

    @Test
    void translateTheAttributesOfTomcatsOtherPool() throws Exception {
        Map<String, String> attributes = Map.of(
                "factory", "org.apache.tomcat.jdbc.pool.DataSourceFactory",
                "driverClassName", TestDriver.class.getName(),
                "url", "jdbc:test:x",
                "initSQL", "SET x = 'a;b'",
                "testWhileIdle", "true",
                "testOnConnect", "true",
                "removeAbandoned", "true",
                "maxActive", "7");
        Object made = NamedResources.make("jdbc/x", attributes, NamedResourcesTest.class.getClassLoader());
        try (BasicDataSource pool = (BasicDataSource) made) {
            assertEquals(7, pool.getMaxTotal());
            assertEquals(100, pool.getMaxIdle(), "a default of that pool");
            assertEquals(
                    Duration.ofSeconds(5), pool.getDurationBetweenEvictionRuns(), "else nothing is tested while idle");
            assertTrue(pool.getTestWhileIdle());
            assertTrue(pool.getTestOnCreate());
            assertTrue(pool.getRemoveAbandonedOnBorrow());
            assertTrue(pool.getRemoveAbandonedOnMaintenance());
            assertEquals(List.of("SET x = 'a;b'"), pool.getConnectionInitSqls());
        }
    }

    /** A pool for each application would open as many times the connections that the operator allowed. */
    @Test
    void areSharedByAllApplicationsThatLinkToThem() throws Exception {
        Map<String, String> attributes = Map.of(
                "name", "jdbc/all",
                "type", "javax.sql.DataSource",
                "driverClassName", TestDriver.class.getName(),
                "url", "jdbc:test:all");
        Object first;
        try (SharedResources shared = new SharedResources(NamedResourcesTest.class.getClassLoader())) {
            first = shared.get("jdbc/all", attributes);
            assertTrue(first instanceof DataSource && shared.has(first));
            assertSame(first, shared.get("jdbc/all", attributes));
            assertFalse(((BasicDataSource) first).isClosed());
        }
        assertTrue(((BasicDataSource) first).isClosed());
    }

    @Test
    void areNotSharedIfOnlyTheApplicationHasTheDriver() throws Exception {
        try (SharedResources shared = new SharedResources(NamedResourcesTest.class.getClassLoader())) {
            assertNull(shared.get(
                    "jdbc/all", Map.of("type", "javax.sql.DataSource", "driverClassName", "only.in.Application")));
        }
    }

    /** What Tomcat's BeanFactory makes. */
    public static final class Bean {

        private String text = "";

        public void setName(String name) {
            text += name;
        }

        public void setLimit(int limit) {
            text += " " + limit;
        }

        public void setOpen(Boolean open) {
            text += " " + open;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static String bean(String attributes) {
        return "<Resource name='bean' type='" + Bean.class.getName()
                + "' factory='org.apache.naming.factory.BeanFactory' " + attributes + "/>";
    }

    @Test
    void areBeansWithTheirProperties() throws IOException {
        try (Server server = serving(context(bean("auth='Container' limit='7' open='true'")))) {
            assertEquals(" 7 true", lookup(server, "bean"));
        }
    }

    @Test
    void areNoBeansIfAPropertyDoesNotFit() throws IOException {
        try (Server server = serving(context(bean("limit='many'")))) {
            assertTrue(lookup(server, "bean").contains("limit=\"many\" is not of type int"));
        }
        try (Server server = serving(context(bean("colour='red'")))) {
            assertTrue(lookup(server, "bean").contains("has no setColour"));
        }
        try (Server server = serving(context(bean("forceString='x=exec' x='id'")))) {
            assertTrue(lookup(server, "bean").contains("forceString is not supported"));
        }
    }

    @Test
    void areMadeByAFactoryOfTheApplication() throws IOException {
        ContextSettings context = context("<Resource name='thing' type='java.lang.Object' colour='red' factory='"
                + ColourFactory.class.getName() + "'/>");
        try (Server server = serving(context)) {
            assertEquals("red thing", lookup(server, "thing"));
        }
    }

    @Test
    void areTheTransactionsOfAFactory() throws IOException {
        ContextSettings context =
                context("<Transaction colour='blue' factory='" + ColourFactory.class.getName() + "'/>");
        try (Server server = serving(context)) {
            assertEquals("blue UserTransaction", lookup(server, "java:comp/UserTransaction"));
        }
    }

    @Test
    void areNotThereIfOnlyTomcatHasTheirFactory() throws IOException {
        ContextSettings context = context("<Resource name='thing' type='java.lang.Object'"
                + " factory='org.apache.naming.factory.LookupFactory'/>");
        try (Server server = serving(context)) {
            assertTrue(lookup(server, "thing").contains("NameNotFoundException"));
        }
    }

    @Test
    void areValuesOfTheEnvironment() throws IOException {
        ContextSettings context = context("<Environment name='limit' type='java.lang.Integer' value='7'/>");
        try (Server server = serving(context)) {
            assertEquals("7", lookup(server, "limit"));
        }
    }

    /** Makes what its attribute colour says. */
    public static final class ColourFactory implements ObjectFactory {

        /** For JNDI. */
        public ColourFactory() {}

        @Override
        public Object getObjectInstance(
                Object object, Name name, @Nullable Context context, Hashtable<?, ?> environment) {
            RefAddr colour = ((Reference) object).get("colour");
            return colour.getContent() + " " + name;
        }
    }

    /** Connections that know their URL. */
    public static final class TestDriver implements Driver {

        /** For JDBC. */
        public TestDriver() {}

        @Override
        public Connection connect(String url, Properties info) {
            OPENED.incrementAndGet();
            return (Connection) Proxy.newProxyInstance(
                    TestDriver.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "getCatalog" -> url;
                        case "isValid", "getAutoCommit" -> true;
                        case "isClosed", "isReadOnly" -> false;
                        case "close" -> {
                            CLOSED.incrementAndGet();
                            yield null;
                        }
                        case "hashCode" -> 1;
                        case "equals" -> System.identityHashCode(proxy) == System.identityHashCode(arguments[0]);
                        case "toString" -> url;
                        default -> method.getReturnType() == int.class ? (Object) 0 : null;
                    });
        }

        @Override
        public boolean acceptsURL(String url) {
            return url.startsWith("jdbc:test:");
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getLogger("test");
        }
    }
}
