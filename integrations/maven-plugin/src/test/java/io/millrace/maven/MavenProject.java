package io.millrace.maven;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A small web application with a servlet and a page, and Maven processes on it; they download nothing. */
final class MavenProject {

    static final Duration LONGEST = Duration.ofMinutes(3);

    static final String VERSION = System.getProperty("millrace.version", "");
    static final String MAVEN = System.getProperty("millrace.maven", "");
    private static final String REPOSITORY = System.getProperty("millrace.maven.repository", "");
    private static final Pattern URL = Pattern.compile("http://localhost:(\\d+)/");

    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>org.example</groupId><artifactId>NAME</artifactId><version>1</version><packaging>PACKAGING</packaging>
              <modules>MODULES</modules>
              <properties>
                <maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                <millrace.skip>SKIP</millrace.skip>
              </properties>
              <dependencies><dependency>
                <groupId>javax.servlet</groupId><artifactId>javax.servlet-api</artifactId><version>4.0.1</version>
                <scope>provided</scope>
              </dependency>DEPENDENCIES</dependencies>
              <build><plugins>
                <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
                <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.16.0</version></plugin>
                <plugin><artifactId>maven-war-plugin</artifactId><version>3.5.1</version></plugin>
                <plugin><groupId>io.millrace</groupId><artifactId>millrace-maven-plugin</artifactId>
                  <version>VERSION</version></plugin>
              </plugins></build>
            </project>
            """;

    private final Path directory;

    private MavenProject(Path directory) {
        this.directory = directory;
    }

    MavenProject(Path directory, String packaging) throws IOException {
        this(directory, packaging, "shop", "", "");
    }

    /** With elements for the modules and dependencies of its POM. */
    MavenProject(Path directory, String packaging, String name, String modules, String dependencies)
            throws IOException {
        this(directory);
        file(
                "pom.xml",
                POM.replace("VERSION", VERSION)
                        .replace("PACKAGING", packaging)
                        .replace("NAME", name)
                        .replace("SKIP", String.valueOf(!name.equals("shop"))) // beside it in a build
                        .replace("MODULES", modules)
                        .replace("DEPENDENCIES", dependencies));
    }

    /** A directory without a project. */
    static MavenProject none(Path directory) throws IOException {
        return new MavenProject(Files.createDirectories(directory));
    }

    /** With sources. */
    static MavenProject webApplication(Path directory) throws IOException {
        return webApplication(directory, "");
    }

    /** With sources, and elements for further dependencies. */
    static MavenProject webApplication(Path directory, String dependencies) throws IOException {
        MavenProject project = new MavenProject(directory, "war", "shop", "", dependencies);
        project.file("src/main/webapp/index.html", "a page");
        project.servlet("first");
        return project;
    }

    Path file(String name, String content) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        return Files.writeString(file, content);
    }

    Path directory() {
        return directory;
    }

    /** Writes the source of a servlet that answers a text. */
    Path servlet(String text) throws IOException {
        return servlet("Hello", "/hello", text);
    }

    Path servlet(String name, String path, String text) throws IOException {
        return file("src/main/java/org/example/" + name + ".java", """
                package org.example;

                import java.io.IOException;
                import javax.servlet.annotation.WebServlet;
                import javax.servlet.http.HttpServlet;
                import javax.servlet.http.HttpServletRequest;
                import javax.servlet.http.HttpServletResponse;

                @WebServlet("%s")
                public class %s extends HttpServlet {
                    @Override
                    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                        response.getWriter().print("%s");
                    }
                }
                """.formatted(path, name, text));
    }

    /** The jar of the Servlet API in Maven's repository. */
    static Path servletApi() {
        return Path.of(REPOSITORY, "javax/servlet/javax.servlet-api/4.0.1/javax.servlet-api-4.0.1.jar");
    }

    /** A process of Maven, or one like it. */
    record Running(Process process, Path log) implements AutoCloseable {

        String output() {
            try {
                return Files.readString(log);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** Waits for its end, and returns what it printed. */
        String end() throws InterruptedException {
            if (!process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running: " + output());
            }
            return output();
        }

        /** Waits until it serves, and returns the address of a path. */
        String serving(String path) {
            await("the start", () -> output().contains(" is ready after ") || !process.isAlive());
            Matcher url = URL.matcher(output());
            if (!url.find()) {
                throw new AssertionError(output());
            }
            return "http://localhost:" + url.group(1) + path;
        }

        /** The processes that it has started, and theirs. */
        List<ProcessHandle> children() {
            return process.descendants().toList();
        }

        @Override
        public void close() {
            children().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Starts Maven on the project. */
    Running maven(String... words) throws IOException {
        return online(
                MAVEN, Stream.concat(Stream.of("-o"), Arrays.stream(words)).toArray(String[]::new));
    }

    /** Starts a Maven that may download. */
    Running online(String maven, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(maven, "-B", "-Dmaven.repo.local=" + REPOSITORY));
        command.addAll(List.of(words));
        return start(command);
    }

    Running start(List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(words);
        Path log = Files.createTempFile(directory, "output", ".log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Running(process, log);
    }

    static String get(String url) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(LONGEST).build();
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
        } catch (IOException refused) {
            return "";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("no " + what);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }
}
