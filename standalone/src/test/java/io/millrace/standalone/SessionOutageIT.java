package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While the database of shared sessions … */
final class SessionOutageIT {

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS tomcat$sessions"
            + " (id VARCHAR(100) NOT NULL, valid CHAR(1) NOT NULL, maxinactive INT NOT NULL,"
            + " lastaccess BIGINT NOT NULL, app VARCHAR(255) NOT NULL, data BLOB, PRIMARY KEY (app, id))";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path base = Path.of("");

    private @Nullable Server database;
    private @Nullable Network network;
    private @Nullable Product product;
    private String cookie = "";

    @BeforeEach
    void start() throws Exception {
        Server started = Server.createTcpServer(
                        "-tcpPort",
                        "0",
                        "-ifNotExists",
                        "-baseDir",
                        base.resolve("db").toString())
                .start();
        database = started;
        Network between = new Network(started.getPort());
        network = between;
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
        file(
                "webapps/shop/count.jsp",
                "<% Integer seen = (Integer) session.getAttribute(\"seen\");"
                        + " session.setAttribute(\"seen\", seen == null ? 1 : seen + 1); %><%= session.getAttribute(\"seen\") %>");
        file("webapps/shop/logout.jsp", "<% session.invalidate(); %>bye");
        file("webapps/shop/plain.jsp", "<%@ page session=\"false\" %>plain<%= request.getParameter(\"x\") %>");
        file("webapps/shop/file.txt", "static");
        file("webapps/shop/META-INF/context.xml", """
                <Context><Manager className="org.apache.catalina.session.PersistentManager">
                  <Store className="org.apache.catalina.session.JDBCStore" driverName="org.h2.Driver"
                      connectionName="sa" connectionURL="jdbc:h2:tcp://127.0.0.1:%d/./sessions"
                      sessionTable="tomcat$sessions" sessionAppCol="app" sessionIdCol="id" sessionDataCol="data"
                      sessionValidCol="valid" sessionMaxInactiveCol="maxinactive" sessionLastAccessedCol="lastaccess"/>
                </Manager></Context>
                """.formatted(between.port()));
        file("conf/server.xml", """
                <Server><Service name="Catalina"><Connector port="0" address="127.0.0.1" maxThreads="20"/>
                  <Engine name="Catalina" defaultHost="localhost"><Host name="localhost">
                    <Valve className="org.apache.catalina.valves.PersistentValve"/></Host></Engine>
                </Service></Server>
                """);
        Path driver = Path.of(
                Server.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Files.copy(driver, Files.createDirectories(base.resolve("lib")).resolve("h2.jar"));
        product = Product.serving("start", "--base=" + base);
        HttpResponse<String> first = get("/count.jsp");
        String field = first.headers().firstValue("Set-Cookie").orElseThrow();
        cookie = field.substring(0, field.indexOf(';'));
        assertEquals("2", get("/count.jsp").body().strip());
        for (String page : new String[] {"/plain.jsp?x=1", "/logout.jsp?compiled=now", "/file.txt"}) {
            if (!page.startsWith("/logout")) {
                assertEquals(200, get(page).statusCode(), page);
            }
        }
    }

    @AfterEach
    void stop() throws IOException {
        if (product != null) {
            product.close();
        }
        if (network != null) {
            network.close();
        }
        if (database != null) {
            database.stop();
        }
    }

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private Product product() {
        if (product == null) {
            throw new AssertionError("not started");
        }
        return product;
    }

    private Network network() {
        if (network == null) {
            throw new AssertionError("not started");
        }
        return network;
    }

    private Server database() {
        if (database == null) {
            throw new AssertionError("not started");
        }
        return database;
    }

    /** Not by the DriverManager: servers that other tests stop take its drivers away. */
    private Connection connect() throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:tcp://127.0.0.1:" + database().getPort() + "/./sessions");
        source.setUser("sa");
        return source.getConnection();
    }

    private int rows() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM tomcat$sessions")) {
            assertTrue(count.next());
            return count.getInt(1);
        }
    }

    private HttpRequest request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(product().url("/shop" + path)))
                .timeout(Duration.ofSeconds(30));
        return (cookie.isEmpty() ? request : request.header("Cookie", cookie)).build();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path), HttpResponse.BodyHandlers.ofString());
    }

    private long lines(String text) {
        return product().lines().stream().filter(line -> line.contains(text)).count();
    }

    @Test
    void hangsPagesWithoutASessionAreServed() throws Exception {
        network().hang();
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            waiting.add(client.sendAsync(request("/count.jsp"), HttpResponse.BodyHandlers.ofString()));
        }
        for (int i = 0; i < 10; i++) {
            assertEquals("plain1", get("/plain.jsp?x=1").body().strip());
            assertEquals("static", get("/file.txt").body());
        }
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            assertUnavailable(each.get());
        }
        network().resume();
        Deadline.await("the session", () -> hasSession("3"));
    }

    private boolean hasSession(String count) {
        try {
            HttpResponse<String> answer = get("/count.jsp");
            if (answer.statusCode() == 200) {
                assertEquals(count, answer.body().strip());
            }
            return answer.statusCode() == 200;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void assertUnavailable(HttpResponse<String> answer) {
        assertEquals(503, answer.statusCode());
        assertEquals("2", answer.headers().firstValue("Retry-After").orElse("none"));
    }

    @Test
    void isStoppedALineAMinuteSaysSo() throws Exception {
        database().stop();
        network().cut();
        for (int i = 0; i < 50; i++) {
            assertUnavailable(get("/count.jsp"));
            assertEquals("plain1", get("/plain.jsp?x=1").body().strip());
        }
        assertEquals(1, lines("MILLRACE4853"), product().output());
        assertEquals(0, lines("\tat "), product().output());
        database().start();
        product().awaitLine("(database table tomcat$sessions) answers again; 50 requests failed meanwhile");
        Deadline.await("the session", () -> hasSession("3"));
    }

    /** The session is read, and then the database stops. */
    @Test
    void isStoppedALogOutIsNotForgotten() throws Exception {
        file(
                "webapps/shop/leave.jsp",
                "<% session.getAttribute(\"seen\"); new java.io.File(\"" + base
                        + "/left\").createNewFile(); while (!new java.io.File(\"" + base
                        + "/stopped\").exists()) { Thread.onSpinWait(); } session.invalidate(); %>bye");
        assertEquals(1, rows());
        CompletableFuture<HttpResponse<String>> leaving =
                client.sendAsync(request("/leave.jsp"), HttpResponse.BodyHandlers.ofString());
        Deadline.await("the request", () -> Files.exists(base.resolve("left")));
        database().stop();
        network().cut();
        Files.createFile(base.resolve("stopped"));
        assertUnavailable(leaving.get());
        database().start();
        HttpResponse<String> after = get("/count.jsp");
        while (after.statusCode() == 503) {
            after = get("/count.jsp");
        }
        assertEquals("1", after.body().strip(), "a session of its own");
        Deadline.await("the removal", () -> {
            try {
                return rows() == 1;
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** What is between server and database. */
    private static final class Network implements AutoCloseable {

        private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> sockets = new CopyOnWriteArrayList<>();
        private final int port;
        private volatile CountDownLatch open = new CountDownLatch(0);

        Network(int port) throws IOException {
            this.port = port;
            start(() -> {
                while (true) {
                    accept();
                }
            });
        }

        private interface Task {
            void run() throws IOException, InterruptedException;
        }

        private static void start(Task task) {
            Thread thread = new Thread(() -> {
                try {
                    task.run();
                } catch (IOException | InterruptedException ended) {
                    // one of the sides is closed
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() throws IOException {
            Socket here = door.accept();
            sockets.add(here);
            start(() -> {
                try (here;
                        Socket there = new Socket()) {
                    there.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    sockets.add(there);
                    start(() -> copy(there, here));
                    copy(here, there);
                }
            });
        }

        private void copy(Socket from, Socket to) throws IOException, InterruptedException {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] bytes = new byte[8192];
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                    open.await();
                    out.write(bytes, 0, read);
                }
            }
        }

        int port() {
            return door.getLocalPort();
        }

        void hang() {
            open = new CountDownLatch(1);
        }

        void resume() {
            open.countDown();
        }

        void cut() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }

        @Override
        public void close() throws IOException {
            resume();
            door.close();
            cut();
        }
    }
}
