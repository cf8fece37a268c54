package io.millrace.standalone.archive;

import io.millrace.files.FileDeletion;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Syntax;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * {@code millrace archive}: creates an AOT cache, or a CDS archive on older Javas, by starting the server once on a training
 * site, and a smaller one for the commands that ask a running server. The start script names the files, and uses them as long as
 * Java and the jars are the same.
 */
public final class ArchiveCommand implements Command {

    private static final Syntax SYNTAX = new Syntax(
            "archive",
            "Creates a class archive for this Java, with which the server starts in half the time. The first start of"
                    + " a server does so too, in the background.",
            Operand.NONE,
            List.of());

    /** Part of the message of a command that ends because another process creates the archive. */
    public static final String BEING_CREATED = "is being created by another process";

    private static final double MEGA = 1e6;

    /** The file stays: one that is deleted by a process which did not get the lock would not keep the next one out. */
    private static final Set<StandardOpenOption> LOCK_OPTIONS =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);

    private static final String UNFINISHED = "unfinished";

    private final PrintWriter out;

    /** @param out receives a line about the archive */
    public ArchiveCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public int run(Arguments arguments) throws OperatorException, InterruptedException {
        String name = System.getProperty("millrace.archive", "");
        String home = System.getProperty("millrace.home", "");
        if (name.isEmpty() || home.isEmpty()) {
            throw new OperatorException("an archive can only be created by the script bin/millrace");
        }
        Path archive = Path.of(name);
        try {
            make(Path.of(home), archive);
            out.printf(
                    Locale.ROOT,
                    "%s, %.0f MB: starts with Java %s use it%n",
                    archive,
                    Files.size(archive) / MEGA,
                    Runtime.version());
        } catch (IOException e) {
            throw new OperatorException("cannot create the archive (" + e + ")");
        }
        return 0;
    }

    /** Replaces the archive atomically: servers that start meanwhile use the old one or the new one. */
    private static void make(Path home, Path archive) throws IOException, InterruptedException, OperatorException {
        Path directory = Files.createDirectories(archive.toAbsolutePath().getParent());
        try (FileChannel channel = FileChannel.open(directory.resolve(".lock"), LOCK_OPTIONS);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw new OperatorException(archive + " " + BEING_CREATED);
            }
            delete(leftOver(directory));
            write(home, archive, directory);
            deletePredecessors(archive);
        }
    }

    private static void write(Path home, Path archive, Path directory) throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("millrace-archive");
        Path server = unfinished(directory);
        Path commands = unfinished(directory);
        try {
            new TrainingRun(home, TrainingSite.create(work), server, commands).run();
            move(server, archive);
            if (Files.isRegularFile(commands)) {
                move(commands, commandsArchive(archive));
            }
        } finally {
            Files.deleteIfExists(server);
            Files.deleteIfExists(commands);
            FileDeletion.deleteTree(work);
        }
    }

    /** The name of a file that does not exist: the JVM prints a message if it replaces one. */
    private static Path unfinished(Path directory) throws IOException {
        Path file = Files.createTempFile(directory, UNFINISHED, "");
        Files.delete(file);
        return file;
    }

    private static void move(Path unfinished, Path archive) throws IOException {
        Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** As the start script names it. */
    private static Path commandsArchive(Path archive) {
        String name = archive.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return archive.resolveSibling(name.substring(0, dot) + "-commands" + name.substring(dot));
    }

    /** Files of processes that were killed. */
    private static List<Path> leftOver(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(UNFINISHED))
                    .toList();
        }
    }

    /** Deletes archives of the same Java (the prefix of the name) for earlier jars. */
    private static void deletePredecessors(Path archive) throws IOException {
        String name = archive.getFileName().toString();
        String java = name.substring(0, name.lastIndexOf('-') + 1);
        Set<Path> current = Set.of(archive, commandsArchive(archive));
        try (Stream<Path> files = Files.list(archive.toAbsolutePath().getParent())) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().startsWith(java) && !current.contains(file)) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void delete(List<Path> files) throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    /** Sends requests of each kind to the server. */
    static final class TrainingVisitor {

        private static final List<String> REQUESTS = List.of(
                "GET /servlet HTTP/1.1\r\n",
                "GET / HTTP/1.1\r\n",
                "GET /servlet?session=yes&name=J%C3%BCrgen HTTP/1.1\r\n",
                "GET /missing HTTP/1.1\r\n",
                "POST /servlet HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n");

        private static final String FIELDS = "Host: localhost\r\nUser-Agent: training\r\nAccept: */*\r\nConnection: ";

        private final URI origin;

        TrainingVisitor(URI origin) {
            this.origin = origin;
        }

        /** Sends all requests on one connection, pipelined; the last one closes it. */
        void visit() throws IOException {
            try (Socket socket = new Socket(origin.getHost(), origin.getPort())) {
                OutputStream out = socket.getOutputStream();
                for (int i = 0; i < REQUESTS.size(); i++) {
                    boolean last = i == REQUESTS.size() - 1;
                    String text = REQUESTS.get(i) + FIELDS + (last ? "close\r\n\r\na=b&c=d&e" : "keep-alive\r\n\r\n");
                    out.write(text.getBytes(StandardCharsets.US_ASCII));
                }
                out.flush();
                InputStream in = new BufferedInputStream(socket.getInputStream());
                in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    /** Runs the server once, and a command that asks it; each JVM writes an archive when it exits. */
    private static final class TrainingRun {

        /** Passes the file to the start script, which sets the JVM options. */
        private static final String OUTPUT = "MILLRACE_ARCHIVE_OUTPUT";

        private static final int DEADLINE_SECONDS = 120;

        private final Path home;
        private final Path base;
        private final Path serverArchive;
        private final Path commandsArchive;
        private final List<String> lines = new ArrayList<>();

        TrainingRun(Path home, Path base, Path serverArchive, Path commandsArchive) {
            this.home = home;
            this.base = base;
            this.serverArchive = serverArchive;
            this.commandsArchive = commandsArchive;
        }

        /** Returns when the archives have been written. */
        void run() throws IOException, InterruptedException {
            Process server = builder("start", serverArchive).start();
            try (BufferedReader output = server.inputReader()) {
                for (URI origin : origins(output)) {
                    new ArchiveCommand.TrainingVisitor(origin).visit();
                }
                trainCommand();
                // not Process.destroy(), which would close the stream of its output
                server.toHandle().destroy();
                output.lines().forEach(lines::add);
                if (!server.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS) || !Files.isRegularFile(serverArchive)) {
                    throw new IOException("the JVM wrote no archive; its output:\n" + String.join("\n", lines));
                }
            } finally {
                server.destroyForcibly();
            }
        }

        /** Without its archive a command takes longer, and nothing else is lost. */
        private void trainCommand() throws IOException, InterruptedException {
            Process command = builder("list", commandsArchive)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!command.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                command.descendants().forEach(ProcessHandle::destroyForcibly);
                command.destroyForcibly();
            }
        }

        private ProcessBuilder builder(String verb, Path archive) {
            ProcessBuilder builder = new ProcessBuilder(
                            home.resolve("bin/millrace").toString(), verb, "--base", base.toString())
                    .redirectErrorStream(true);
            builder.environment().put(OUTPUT, archive.toString());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().remove("JRE_HOME"); // start prefers it
            return builder;
        }

        /** Waits until the server is ready, and returns its URLs. */
        private List<URI> origins(BufferedReader output) throws IOException {
            List<URI> origins = new ArrayList<>();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (line.startsWith("http://")) {
                    origins.add(URI.create(line));
                }
                if (line.contains(" is ready after ")) {
                    return origins;
                }
            }
            throw new IOException("the server did not start; its output:\n" + String.join("\n", lines));
        }
    }

    /**
     * A base directory with what most servers have: a port, a WAR with a servlet, a jar and static files. Without TLS: each start
     * loads all classes of the archive, so that classes which only some servers need would cost the others memory.
     */
    private static final class TrainingSite {

        private static final String SERVER_XML = """
                <Server port="-1">
                  <Service name="training">
                    <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1"/>
                    <Engine name="training" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps">
                        <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs"
                            prefix="access" suffix=".txt" pattern="common"/>
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """;

        private static final String WEB_XML = """
                <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
                  <servlet>
                    <servlet-name>training</servlet-name>
                    <servlet-class>SERVLET</servlet-class>
                    <load-on-startup>1</load-on-startup>
                  </servlet>
                  <servlet-mapping><servlet-name>training</servlet-name><url-pattern>/servlet</url-pattern></servlet-mapping>
                  <welcome-file-list><welcome-file>index.html</welcome-file></welcome-file-list>
                </web-app>
                """;

        private static final String JAR = "WEB-INF/lib/empty.jar";

        private TrainingSite() {}

        /** Creates it in an empty directory, and returns that. */
        static Path create(Path base) throws IOException {
            Path conf = Files.createDirectories(base.resolve("conf"));
            Files.createDirectories(base.resolve("logs"));
            Files.writeString(conf.resolve("server.xml"), SERVER_XML);
            Path war = Files.createDirectories(base.resolve("webapps")).resolve("ROOT.war");
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
                add(zip, "WEB-INF/web.xml", WEB_XML.replace("SERVLET", TrainingServlet.class.getName()));
                add(zip, "index.html", "<!DOCTYPE html><title>Training</title>");
                addServlet(zip);
                zip.putNextEntry(new ZipEntry(JAR));
                emptyJar(zip);
            }
            return base;
        }

        private static void add(ZipOutputStream zip, String name, String text) throws IOException {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Adds a copy of the class: applications do not see the server's classes. */
        private static void addServlet(ZipOutputStream zip) throws IOException {
            String file = TrainingServlet.class.getName().replace('.', '/') + ".class";
            zip.putNextEntry(new ZipEntry("WEB-INF/classes/" + file));
            try (InputStream in = TrainingServlet.class.getClassLoader().getResourceAsStream(file)) {
                if (in == null) {
                    throw new IOException("the class file " + file + " is missing");
                }
                in.transferTo(zip);
            }
        }

        private static void emptyJar(OutputStream to) throws IOException {
            ZipOutputStream jar = new ZipOutputStream(to);
            add(jar, "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n");
            jar.finish();
        }
    }
}
