package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.standalone.config.ContextFiles;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.resource.TomcatFactories;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
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
import java.util.Set;
import java.util.TreeMap;
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

    /** Where tomcat-jdbc.jar is in lib, applications that cast get what they expect, and it is closed as they do. */
    @Test
    void areOfTheOtherPoolsOwnClassWhereItIsInstalled() throws Exception {
        Map<String, byte[]> jar = Sources.compile(
                "package org.apache.tomcat.jdbc.pool; public class DataSource {"
                        + " public static int closed; public void close() { closed++; } }",
                "package org.apache.tomcat.jdbc.pool; import javax.naming.*;"
                        + "public class DataSourceFactory implements javax.naming.spi.ObjectFactory {"
                        + " public Object getObjectInstance(Object reference, Name name, Context context,"
                        + " java.util.Hashtable<?, ?> environment) {"
                        + " if (!((Reference) reference).get(\"maxActive\").getContent().equals(\"7\")) return null;"
                        + " return new DataSource(); } }",
                "package shop; public class Factory extends org.apache.tomcat.jdbc.pool.DataSourceFactory {}",
                "package shop; public class Bean { private int size; public void setSize(int value) { size = value; }"
                        + " public String toString() { return \"bean \" + size; } }");
        for (Map.Entry<String, byte[]> file : jar.entrySet()) {
            Path path = directory.resolve("lib").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        URL[] urls = {directory.resolve("lib").toUri().toURL()};
        try (URLClassLoader lib = new URLClassLoader(urls, NamedResourcesTest.class.getClassLoader())) {
            for (String factory : List.of("org.apache.tomcat.jdbc.pool.DataSourceFactory", "shop.Factory")) {
                Map<String, String> attributes = Map.of(
                        "factory", factory, "type", "javax.sql.DataSource", "maxActive", "7", "closeMethod", "close");
                Object made = NamedResources.make("jdbc/x", attributes, lib);
                assertEquals(
                        "org.apache.tomcat.jdbc.pool.DataSource",
                        made.getClass().getName());
                NamedResources.close(made, attributes);
            }
            assertEquals(
                    2,
                    lib.loadClass("org.apache.tomcat.jdbc.pool.DataSource")
                            .getField("closed")
                            .getInt(null));
            Map<String, String> bean = Map.of(
                    "factory",
                    "org.apache.tomcat.jdbc.naming.GenericNamingResourcesFactory",
                    "type",
                    "shop.Bean",
                    "size",
                    "3");
            assertEquals("bean 3", NamedResources.make("bean", bean, lib).toString());
        }
    }

    @Test
    void areWhatTomcatMakesOfAReferenceThatNothingIsDefinedFor() throws Exception {
        WebApplication application = WebApplication.builder("")
                .servlet("lookup", new Lookup(), "/")
                .model(model -> {
                    for (String type : List.of("javax.sql.DataSource", "javax.jms.Queue")) {
                        model.namingEntries.add(new NamingEntryModel(
                                NamingEntryModel.Kind.RESOURCE, "ref/" + type, type, null, null, List.of()));
                    }
                })
                .build();
        NamedResources.add(context(""), application, new SharedResources(NamedResourcesTest.class.getClassLoader()));
        try (Server server = Server.builder().port(0).application(application).start()) {
            String pool = lookup(server, "ref/javax.sql.DataSource");
            assertTrue(pool.contains("Cannot create JDBC driver"), pool);
            assertTrue(lookup(server, "ref/javax.jms.Queue").contains("is not bound"));
        }
        assertEquals(
                List.of(
                        "the resource-ref a of type javax.sql.DataSource has no Resource, so what is looked up is one without a"
                                + " database or mail server; define a Resource in context.xml",
                        "the resource-ref b of type javax.jms.Queue has no Resource, so looking it up fails; define a Resource in"
                                + " context.xml"),
                NamedResources.missing(
                        context("<Resource name='c' type='javax.sql.DataSource'/>"),
                        Set.of(),
                        new TreeMap<>(Map.of(
                                "a", "javax.sql.DataSource", "b", "javax.jms.Queue", "c", "javax.sql.DataSource"))));
    }

    @Test
    void areReportedWhoseFactoriesAreNotThere() throws Exception {
        ContextSettings context =
                context("<Resource name='a' type='x.A' factory='x.Factory'/><Transaction factory='x.Transactions'/>"
                        + "<Resource name='jdbc' type='javax.sql.DataSource' driverClassName='x.Driver'/>");
        assertEquals(Set.of("x.Factory", "x.Transactions", "x.Driver"), NamedResources.classes(context));
        assertEquals(
                3,
                NamedResources.missing(context, NamedResources.classes(context), Map.of())
                        .size());
        assertEquals(List.of(), NamedResources.missing(context, Set.of(), Map.of()));
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
