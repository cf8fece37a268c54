package io.millrace.maven;

import io.millrace.maven.launch.ForkedMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/** What the goals share that serve the application, in a JVM that ends with Maven's. */
abstract class ServingMojo extends ServerMojo {

    private static final String READY = " is ready after ";
    private static final Pattern URL = Pattern.compile("http://[^/]*:(\\d+)/.*");
    private static final int SHOWN = 15;
    private static final int STOP_SECONDS = 15;

    /** The port; 0 for a free one. */
    @Parameter(property = "millrace.port", defaultValue = "8080")
    int port;

    /** The address to listen on. */
    @Parameter(property = "millrace.address", defaultValue = "127.0.0.1")
    private String address;

    @Parameter(defaultValue = "${reactorProjects}", readonly = true, required = true)
    private List<MavenProject> modules;

    /** Options of the server's JVM, separated by blanks. */
    @Parameter(property = "millrace.jvmOptions", defaultValue = "")
    private @Nullable String jvmOptions;

    /** A port for debuggers, or {@code true} for 5005; the server does not wait for one. */
    @Parameter(property = "debug", alias = "debug")
    private @Nullable String debug;

    /** Seconds that the start may take. */
    @Parameter(property = "millrace.startSeconds", defaultValue = "120")
    private int startSeconds;

    /**
     * A server that serves.
     *
     * @param port the first that it listens on
     * @param output the thread that reads its output
     */
    record Server(Process process, int port, Thread output) {

        /** Asks it to end, and ends it if it does not. By the handle: the process itself would close its output too. */
        void stop() throws InterruptedException {
            process.toHandle().destroy();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            output.join(TimeUnit.SECONDS.toMillis(1));
        }
    }

    /** Starts the server of a base directory and waits until it serves. Its output goes to a file, or to Maven's if that is null. */
    Server start(Path base, @Nullable Path log)
            throws IOException, InterruptedException, MojoExecutionException, MojoFailureException {
        requireFreePort();
        List<Path> classPath = new ArrayList<>(serverJars());
        classPath.add(own());
        List<String> words = command(
                options(),
                classPath,
                ForkedMain.class.getName(),
                List.of(String.valueOf(ProcessHandle.current().pid()), "start", "--base=" + base));
        Process process = new ProcessBuilder(words)
                .directory(project.getBasedir())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        Thread ending = new Thread(process.toHandle()::destroy, "millrace-end");
        Runtime.getRuntime().addShutdownHook(ending);
        Deque<String> last = new ArrayDeque<>();
        CompletableFuture<Integer> ready = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(process, log, last, ready), "millrace-output");
        reader.setDaemon(true);
        reader.start();
        try {
            return new Server(process, ready.get(startSeconds, TimeUnit.SECONDS), reader);
        } catch (ExecutionException e) {
            process.waitFor();
            throw new MojoExecutionException("the server ended with status " + process.exitValue() + " while it started"
                    + (log == null ? "; the lines above say why" : "; its last lines, of " + log + ":\n" + text(last)));
        } catch (TimeoutException e) {
            process.destroyForcibly();
            throw new MojoExecutionException("the server has not started within " + startSeconds
                    + " s; give it more with -Dmillrace.startSeconds=N" + (log == null ? "" : ", or look into " + log));
        }
    }

    private static String text(Deque<String> lines) {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    private void read(Process process, @Nullable Path log, Deque<String> last, CompletableFuture<Integer> ready) {
        int found = 0;
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                Writer file = log == null ? Writer.nullWriter() : Files.newBufferedWriter(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (log == null) {
                    System.out.println(line);
                } else {
                    file.write(line + "\n");
                    file.flush();
                }
                synchronized (last) {
                    last.add(line);
                    if (last.size() > SHOWN) {
                        last.remove();
                    }
                }
                Matcher url = URL.matcher(line);
                if (found == 0 && url.matches()) {
                    found = Integer.parseInt(url.group(1));
                }
                if (line.contains(READY)) {
                    ready.complete(found);
                }
            }
        } catch (IOException e) {
            getLog().debug("the server's output", e);
        } finally {
            ready.completeExceptionally(new IOException("ended"));
        }
    }

    private List<String> options() {
        List<String> options = new ArrayList<>();
        if (debug != null && !debug.equals("false")) {
            String place = debug.isEmpty() || debug.equals("true") ? "5005" : debug;
            options.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=localhost:" + place);
        }
        Arrays.stream(jvmOptions == null ? new String[0] : jvmOptions.trim().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .forEach(options::add);
        return options;
    }

    private static Path own() throws IOException {
        try {
            return Path.of(ForkedMain.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private void requireFreePort() throws MojoFailureException {
        if (port < 0 || port > 65_535) {
            throw new MojoFailureException(port + " is no port; expected 1 to 65535, or 0 for a free one");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
        } catch (IOException e) {
            throw new MojoFailureException("cannot listen on port " + port + " of " + address + " (" + e.getMessage()
                    + "); stop what uses it, or choose another: -Dmillrace.port=8081, or 0 for a free one");
        }
    }

    // ---- base directories

    /** A base directory for the application as it is in the source tree. */
    Path exploded() throws IOException, MojoFailureException {
        requireWarProject();
        Path classes = Path.of(project.getBuild().getOutputDirectory());
        Files.createDirectories(classes);
        requireJavax(List.of(classes));
        StringBuilder mounts = new StringBuilder(mount("PreResources", "DirResourceSet", classes, "/WEB-INF/classes"));
        for (Artifact each : project.getArtifacts()) {
            Path file = each.getFile() == null ? null : each.getFile().toPath();
            boolean runs =
                    Artifact.SCOPE_COMPILE.equals(each.getScope()) || Artifact.SCOPE_RUNTIME.equals(each.getScope());
            if (file == null || !runs) {
                continue;
            }
            if (Files.isDirectory(file)) { // a module of the same build
                boolean overlay = each.getType().equals("war");
                mounts.append(
                        mount(overlay ? "PostResources" : "PreResources", "DirResourceSet", file, "/WEB-INF/classes"));
                if (overlay) {
                    mounts.append(pages(each));
                }
            } else if (each.getType().equals("war")) {
                mounts.append(mount("PostResources", "JarResourceSet", file, "/"));
            } else if (file.toString().endsWith(".jar")) {
                mounts.append(mount("PreResources", "FileResourceSet", file, "/WEB-INF/lib/" + file.getFileName()));
            }
        }
        Path files = Files.isDirectory(webapp())
                ? webapp()
                : Files.createDirectories(directory().resolve("empty"));
        return base(files, " reloadable=\"true\"", "<Resources cachingAllowed=\"false\">" + mounts + "</Resources>");
    }

    /** The pages of an overlay that is a module of the same build. */
    private String pages(Artifact overlay) {
        getLog().warn(
                        "the overlay " + overlay.getArtifactId()
                                + " is not packed yet: its classes and pages are used, its libraries are not; mvn package millrace:run has them");
        return modules.stream()
                .filter(module -> module.getArtifactId().equals(overlay.getArtifactId())
                        && module.getGroupId().equals(overlay.getGroupId()))
                .map(module -> module.getBasedir().toPath().resolve("src/main/webapp"))
                .filter(Files::isDirectory)
                .map(pages -> mount("PostResources", "DirResourceSet", pages, "/"))
                .findFirst()
                .orElse("");
    }

    /** A base directory for the WAR. */
    Path packed() throws IOException, MojoFailureException {
        return base(war(), "", "");
    }

    private static String mount(String kind, String type, Path from, String at) {
        return "\n          <" + kind + " className=\"org.apache.catalina.webresources." + type + "\" base=\""
                + escaped(from.toString()) + "\" webAppMount=\"" + escaped(at) + "\"/>";
    }

    private Path base(Path docBase, String attributes, String content) throws IOException {
        Path base = directory().resolve("base");
        Files.createDirectories(base.resolve("webapps"));
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="%d" address="%s" connectionTimeout="20000"/>
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps" autoDeploy="false" deployOnStartup="false">
                        <Context path="%s" docBase="%s"%s>%s</Context>
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """.formatted(
                        port,
                        escaped(address),
                        escaped(contextPath()),
                        escaped(docBase.toAbsolutePath().toString()),
                        attributes,
                        content));
        return base;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("\"", "&quot;")
                .replace("$", "&#36;");
    }
}
