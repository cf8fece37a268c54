package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Tomcat 9 as a process of its own, with the application that says what it sees at its root, by HTTP and by AJP. */
final class Tomcat implements AutoCloseable {

    static final String SECRET = "s3cret";

    private static final Path HOME = Path.of(Product.war("apache-tomcat-9.0.98"));
    private static final Duration LONGEST_START = Duration.ofMinutes(3);

    private final Process process;
    private final Path output;
    private final int http;
    private final int ajp;

    private Tomcat(Process process, Path output, int http, int ajp) {
        this.process = process;
        this.output = output;
        this.http = http;
        this.ajp = ajp;
    }

    /** Serving. */
    static Tomcat serving(Path base) throws IOException {
        int http = LocalPort.free();
        int ajp = LocalPort.free();
        ProbeServer.prepare(base, "", "", "");
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="%d" address="127.0.0.1"/>
                    <Connector protocol="AJP/1.3" port="%d" address="127.0.0.1" secret="%s"/>
                    <Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps"/></Engine>
                  </Service>
                </Server>
                """.formatted(http, ajp, SECRET));
        return start(HOME, base, http, ajp);
    }

    /** Serving a base directory whose only Connector has a port; of the version that answers are compared with. */
    static Tomcat compared(Path base, int http) throws IOException {
        Path home = Path.of(Product.war("apache-tomcat-9.0.117"));
        Files.copy(home.resolve("conf/web.xml"), base.resolve("conf/web.xml"));
        return start(home, base, http, -1);
    }

    private static Tomcat start(Path home, Path base, int http, int ajp) throws IOException {
        Path temporary = Files.createDirectories(base.resolve("temp"));
        Path output = base.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        home.resolve("bin/bootstrap.jar") + ":" + home.resolve("bin/tomcat-juli.jar"),
                        "-Dcatalina.home=" + home,
                        "-Dcatalina.base=" + base,
                        "-Djava.io.tmpdir=" + temporary,
                        "org.apache.catalina.startup.Bootstrap",
                        "start")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Tomcat(process, output, http, ajp).awaitReady();
    }

    private Tomcat awaitReady() {
        Deadline.await(
                "Tomcat to start", LONGEST_START, () -> log().contains("Server startup in") || !process.isAlive());
        if (!process.isAlive()) {
            throw new AssertionError("Tomcat ended: " + log());
        }
        return this;
    }

    private String log() {
        try {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** As a backend, by one of the two. */
    String address(String scheme) {
        return scheme.equals("ajp") ? "ajp://127.0.0.1:" + ajp + "?secret=" + SECRET : "http://127.0.0.1:" + http;
    }

    int ajpPort() {
        return ajp;
    }

    int httpPort() {
        return http;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
