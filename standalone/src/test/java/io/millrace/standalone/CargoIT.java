package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cargo, which takes the home for an installed Tomcat 9: it … */
@Tag("wars")
final class CargoIT {

    private static final String MAVEN = System.getProperty("millrace.maven", "");
    private static final String REPOSITORY = System.getProperty("millrace.maven.repository", "");

    /** Downloads included. */
    private static final Duration LONGEST = Duration.ofMinutes(8);

    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>org.example</groupId><artifactId>shop</artifactId><version>1</version><packaging>pom</packaging>
              <build><plugins><plugin>
                <groupId>org.codehaus.cargo</groupId><artifactId>cargo-maven3-plugin</artifactId><version>1.10.28</version>
                <configuration>
                  <container>
                    <containerId>tomcat9x</containerId><type>installed</type>
                    <home>HOME</home><output>OUTPUT</output><timeout>180000</timeout>
                  </container>
                  <configuration>
                    <type>standalone</type><home>BASE</home>
                    <properties>
                      <cargo.servlet.port>PORT</cargo.servlet.port>
                      <cargo.start.jvmargs>-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=localhost:0</cargo.start.jvmargs>
                    </properties>
                  </configuration>
                </configuration>
                <executions>
                  <execution><id>start</id><phase>initialize</phase>
                    <goals><goal>configure</goal><goal>start</goal></goals></execution>
                  <execution><id>deploy</id><phase>test</phase><goals><goal>deploy</goal></goals>
                    <configuration><deployables><deployable>
                      <location>WAR</location><type>war</type>
                      <properties><context>shop</context></properties>
                      <pingURL>http://localhost:PORT/shop/page.txt</pingURL><pingTimeout>90000</pingTimeout>
                    </deployable></deployables></configuration></execution>
                  <execution><id>stop</id><phase>verify</phase><goals><goal>stop</goal></goals></execution>
                </executions>
              </plugin></plugins></build>
            </project>
            """;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void configuresStartsDeploysAndStops() throws Exception {
        Path home = directory.resolve("home");
        Command.succeed(
                Path.of(System.getProperty("millrace.dist", ""), "bin", "millrace")
                        .toString(),
                "tomcat-home",
                home.toString());
        Path output = directory.resolve("output.log");
        Files.writeString(
                directory.resolve("pom.xml"),
                POM.replace("HOME", home.toString())
                        .replace("OUTPUT", output.toString())
                        .replace("BASE", directory.resolve("base").toString())
                        .replace("WAR", war().toString())
                        .replace("PORT", String.valueOf(LocalPort.free())));
        Process maven = Command.start(List.of(
                MAVEN,
                "-B",
                "-f",
                directory.resolve("pom.xml").toString(),
                "-Dmaven.repo.local=" + REPOSITORY,
                "verify"));
        try {
            CompletableFuture<String> printed = Command.outputOf(maven);
            assertTrue(maven.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS), "still running");
            assertEquals(0, maven.exitValue(), printed::join);
        } finally {
            maven.descendants().forEach(ProcessHandle::destroyForcibly);
            maven.destroyForcibly();
        }
        Deadline.await("the end of the server", () -> read(output).contains("MILLRACE0604"));
        for (String expected : List.of(
                "Listening for transport dt_socket at address: ",
                "/base/webapps/shop.war at /shop",
                "MILLRACE0604: Stopped")) {
            assertTrue(read(output).contains(expected), expected + " in " + read(output));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path war() throws IOException {
        Path war = directory.resolve("shop.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("page.txt"));
            zip.write("served".getBytes(StandardCharsets.UTF_8));
        }
        return war;
    }
}
