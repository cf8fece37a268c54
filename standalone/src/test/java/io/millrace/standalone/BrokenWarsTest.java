package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.io.Timers;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.xml.Problems;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a webapps directory with WARs that cannot be read, … */
@NullUnmarked
final class BrokenWarsTest {

    @TempDir
    private Path base;

    @BeforeEach
    void makeBase() throws Exception {
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server><Service><Connector port="0" address="127.0.0.1"/><Engine defaultHost="localhost">
                <Host name="localhost" autoDeploy="false"><Valve className="org.apache.catalina.valves.HealthCheckValve"/></Host></Engine></Service></Server>
                """);
        for (String sound : List.of("ROOT", "sound", "versions##1", "twice")) {
            Files.createDirectories(base.resolve("webapps").resolve(sound).resolve("WEB-INF"));
            Files.writeString(base.resolve("webapps").resolve(sound).resolve("index.html"), sound);
        }
        for (String broken : List.of("broken.war", "versions##2.war")) {
            Files.writeString(base.resolve("webapps").resolve(broken), "this is no zip file");
        }
        Files.createDirectories(base.resolve("webapps/typed/WEB-INF"));
        Files.writeString(base.resolve("webapps/typed/WEB-INF/web.xml"), "<web-app>\n<servlet></web-app>");
    }

    /** As with Tomcat's HealthCheckValve: a rolling update must not go on with a server of broken applications. */
    @Test
    void theHealthIsDownAndNamesThem() throws Exception {
        serve(server -> {
            assertEquals(503, status(server, "/health"));
            assertEquals(
                    "{\"status\":\"DOWN\",\"checks\":[{\"name\":\"server\",\"status\":\"UP\"},"
                            + "{\"name\":\"/broken\",\"status\":\"DOWN\"},{\"name\":\"/typed\",\"status\":\"DOWN\"},"
                            + "{\"name\":\"/versions##2\",\"status\":\"DOWN\"}]}\n",
                    body(server, "/health"));
        });
    }

    @Test
    void theHealthIsOfTheServerAloneIfTheValveSaysSo() throws Exception {
        Path file = base.resolve("conf/server.xml");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("HealthCheckValve\"", "HealthCheckValve\" checkContainersAvailable=\"false\""));
        serve(server -> assertEquals(200, status(server, "/health")));
    }

    @Test
    void theHealthIsUpWithoutThem() throws Exception {
        for (String broken : List.of("broken.war", "versions##2.war", "typed/WEB-INF/web.xml")) {
            Files.delete(base.resolve("webapps").resolve(broken));
        }
        serve(server -> assertEquals(200, status(server, "/health")));
    }

    /** As where a volume was not mounted. */
    @Test
    void theHealthIsDownIfThereIsNoPlaceForThem() throws Exception {
        Files.move(base.resolve("webapps"), base.resolve("elsewhere"));
        serve(server -> {
            assertTrue(body(server, "/health").contains("{\"name\":\"appBase of localhost\",\"status\":\"DOWN\"}"));
            Files.createDirectories(base.resolve("webapps"));
            assertEquals(200, status(server, "/health"));
        });
    }

    private interface Visit {
        void to(Server server) throws Exception;
    }

    private static String body(Server server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        assertEquals(503, connection.getResponseCode());
        try (InputStream in = connection.getErrorStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void requestsToOneGet503AndNotTheRootApplication() throws Exception {
        serve(server -> {
            assertEquals(503, status(server, "/broken/"));
            assertEquals(503, status(server, "/broken/page"));
            assertEquals(503, status(server, "/typed/"));
            assertEquals(200, status(server, "/sound/"));
            assertEquals(200, status(server, "/"));
            assertEquals(200, status(server, "/versions/")); // by version 1
        });
    }

    private void serve(Visit visit) throws Exception {
        try (Timers timers = new Timers("timers of a test");
                SharedResources shared =
                        new SharedResources(new BaseDirectory(base).classes().server())) {
            BaseDirectory directory = new BaseDirectory(base);
            ServerConfig config =
                    Objects.requireNonNull(directory.read(directory.serverXml(), new Problems("server.xml")));
            Launcher.Plan plan = new ServiceFactory(directory, timers, shared)
                    .plan(config.services().get(0));
            Server server = plan.start();
            try {
                visit.to(server);
            } finally {
                server.stop(Duration.ZERO);
                plan.pools().close();
            }
        }
    }

    private static int status(Server server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return ((HttpURLConnection) uri.toURL().openConnection()).getResponseCode();
    }

    @Test
    void checkSaysWhichApplicationsDoNotStart() throws Exception {
        String said = check();
        assertTrue(said.contains("host localhost: /sound/ from webapps/sound\n"), said);
        assertTrue(
                said.contains("host localhost: /broken/ answers 503, because webapps/broken.war does not start\n"),
                said);
        assertTrue(said.contains("host localhost: /typed/ answers 503, because webapps/typed does not start\n"), said);
        assertTrue(said.contains("error: webapps/broken.war: it is not a WAR that can be read"), said);
    }

    @Test
    void checkSaysWhichApplicationHasThePathOfAnother() throws Exception {
        Files.createDirectories(base.resolve("elsewhere/WEB-INF"));
        Files.writeString(
                Files.createDirectories(base.resolve("conf/Catalina/localhost")).resolve("twice.xml"),
                "<Context docBase=\"" + base.resolve("elsewhere") + "\"/>");
        String said = check();
        assertTrue(said.contains("host localhost: webapps/twice is not deployed at /twice/\n"), said);
        assertTrue(said.contains("host localhost: /twice/ from elsewhere\n"), said);
    }

    private String check() throws Exception {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        int status = new CommandLine("millrace", "", List.of(new CheckCommand(out)))
                .execute(out, out, "check", "--base", base.toString());
        assertEquals(1, status, said.toString());
        return said.toString();
    }
}
