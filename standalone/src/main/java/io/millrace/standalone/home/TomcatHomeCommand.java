package io.millrace.standalone.home;

import io.millrace.standalone.admin.AdminSocket;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.util.ServerInfo;
import org.jspecify.annotations.Nullable;

/**
 * {@code millrace tomcat-home DIR}: writes a directory that tools take for an installed Tomcat 9: what they look for in {@code bin},
 * {@code lib} and {@code conf}, and a copy of the distribution in {@code millrace}. The names of its files are in
 * {@code millrace/home-files}, so that a later version can replace them and touches nothing else.
 */
public final class TomcatHomeCommand implements Command {

    /** By name: the class calls the commands, of which this is one. */
    private static final String BOOTSTRAP = "org.apache.catalina.startup.Bootstrap";

    private static final String FORCE = "--force";

    private static final Syntax SYNTAX = new Syntax(
            "tomcat-home",
            "Writes a directory laid out like Tomcat's, for tools that start Tomcat: IDEs, Cargo, Arquillian.",
            new Operand("DIR", 1, 1, "A new or empty directory"),
            List.of(Option.flag(
                    FORCE,
                    "Replace the files of an earlier one; conf and what the command did not write stay as they are")));

    /** The names of all files of the home, one a line. */
    private static final String LIST = "millrace/home-files";

    private static final List<String> SCRIPTS = List.of(
            "bin/catalina.sh",
            "bin/startup.sh",
            "bin/shutdown.sh",
            "bin/setclasspath.sh",
            "bin/version.sh",
            "bin/configtest.sh");

    private static final String README = "README.md";

    /** Belongs to the operator once it is there. */
    private static final List<String> CONFIGURATION = List.of(
            "conf/server.xml",
            "conf/web.xml",
            "conf/context.xml",
            "conf/tomcat-users.xml",
            "conf/catalina.properties",
            "conf/catalina.policy",
            "conf/logging.properties",
            "webapps/host-manager/index.html",
            "webapps/manager/META-INF/context.xml",
            "webapps/manager/WEB-INF/web.xml");

    private static final List<String> DIRECTORIES =
            List.of("webapps", "logs", "work", "temp", "conf/Catalina/localhost");

    /** The interfaces of applications by the names that Tomcat's jars have, and what begins the names of those in the distribution. */
    private static final Map<String, String> INTERFACES = new TreeMap<>(Map.of(
            "lib/servlet-api.jar", "javax.servlet-api-",
            "lib/jsp-api.jar", "tomcat-jsp-api-",
            "lib/el-api.jar", "tomcat-el-api-",
            "lib/websocket-api.jar", "javax.websocket-api-",
            "lib/annotations-api.jar", "javax.annotation-api-"));

    /** Passwords will be in its files, and a umask is often 0022. */
    private static final Path CONF = Path.of("conf");

    private static final Set<PosixFilePermission> OF_FILES = PosixFilePermissions.fromString("rw-r-----");

    private static final Set<PosixFilePermission> OF_DIRECTORIES = PosixFilePermissions.fromString("rwxr-x---");

    private static final int SHOWN = 5;

    private static final Pattern OF_DISTRIBUTION = Pattern.compile("(bin|conf|lib)/.*|LICENSE|NOTICE");

    private final PrintWriter out;

    /** @param out receives what was written */
    public TomcatHomeCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    /** Something to write. */
    private interface Content {
        void write(Path to) throws IOException;
    }

    @Override
    public int run(Arguments arguments) throws OperatorException {
        String distribution = System.getProperty("millrace.home", "");
        if (distribution.isEmpty()) {
            throw new OperatorException("a home can only be written by the script bin/millrace");
        }
        Path home = Path.of(arguments.operands().get(0)).toAbsolutePath().normalize();
        try {
            Map<String, Content> files = files(Path.of(distribution));
            Set<String> earlier = earlier(home);
            requireFree(home, arguments.flag(FORCE), earlier, files.keySet());
            int kept = write(home, files, earlier);
            out.printf(
                    "%s: a home like that of Tomcat 9%s%nStart it: %s run%n",
                    home, kept == 0 ? "" : ", with its conf as it was", home.resolve(SCRIPTS.get(0)));
            return 0;
        } catch (IOException e) {
            throw new OperatorException("cannot write " + home + " (" + e + ")");
        }
    }

    private Map<String, Content> files(Path distribution) throws IOException {
        Map<String, Content> files = new LinkedHashMap<>();
        List<String> copied = distribution(distribution);
        for (String each : copied) {
            files.put("millrace/" + each, to -> copy(distribution.resolve(each), to));
        }
        List<String> jars = copied.stream()
                .filter(each -> each.matches("lib/[^/]+\\.jar"))
                .sorted()
                .toList();
        INTERFACES.forEach((name, prefix) -> jars.stream()
                .filter(jar -> jar.startsWith("lib/" + prefix))
                .findFirst()
                .ifPresent(jar -> files.put(name, to -> copy(distribution.resolve(jar), to))));
        String version = version();
        files.put("bin/bootstrap.jar", to -> bootstrap(to, jars, version));
        files.put("bin/tomcat-juli.jar", to -> juli(to, jars, version));
        files.put("lib/catalina.jar", to -> catalina(to, version));
        SCRIPTS.forEach(name -> files.put(name, to -> {
            resource(name, to);
            if (!to.toFile().setExecutable(true, false)) {
                throw new IOException(to + " cannot be made executable");
            }
        }));
        files.put(README, to -> resource(README, to));
        CONFIGURATION.forEach(name -> files.put(name, to -> resource(name, to)));
        return files;
    }

    private static String version() {
        String version = TomcatHomeCommand.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static List<String> distribution(Path from) throws IOException {
        try (Stream<Path> files = Files.walk(from, FileVisitOption.FOLLOW_LINKS)) { // conf may be one
            return files.filter(Files::isRegularFile)
                    .map(file -> from.relativize(file).toString())
                    .filter(name -> OF_DISTRIBUTION.matcher(name).matches())
                    .sorted()
                    .toList();
        }
    }

    // ---- whether the directory is free

    /** The files that an earlier run has written; none if there was no such run. */
    private static Set<String> earlier(Path home) throws IOException {
        Path list = home.resolve(LIST);
        return Files.isRegularFile(list) ? new HashSet<>(Files.readAllLines(list, StandardCharsets.UTF_8)) : Set.of();
    }

    private static void requireFree(Path home, boolean force, Set<String> earlier, Set<String> names)
            throws IOException, OperatorException {
        if (!Files.exists(home)) {
            return;
        }
        if (!Files.isDirectory(home)) {
            throw new OperatorException(home + " is not a directory; give a new one");
        }
        List<String> present;
        try (Stream<Path> entries = Files.list(home)) {
            present = entries.map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
        }
        if (present.isEmpty()) {
            return;
        }
        if (!force) {
            throw new OperatorException(home + " is not empty: it has " + shown(present)
                    + (earlier.isEmpty()
                            ? "; give a new or empty directory"
                            : "; an earlier version wrote it: " + FORCE + " replaces its files"));
        }
        List<String> foreign = names.stream()
                .filter(name -> !earlier.contains(name) && !CONFIGURATION.contains(name))
                .filter(name -> Files.exists(home.resolve(name)))
                .toList();
        if (!foreign.isEmpty()) {
            throw new OperatorException(home + " has files of others where those of the home would be: "
                    + shown(foreign) + "; give a new or empty directory");
        }
        try (SocketChannel server = AdminSocket.connect(home)) {
            if (server != null) {
                throw new OperatorException(
                        "a server runs from " + home + "; stop it first: " + home + "/" + SCRIPTS.get(0) + " stop");
            }
        }
    }

    private static String shown(List<String> names) {
        String some = names.stream().limit(SHOWN).collect(Collectors.joining(", "));
        return names.size() > SHOWN ? some + " and " + (names.size() - SHOWN) + " more" : some;
    }

    // ---- writing

    /** Returns how many files of the operator it has kept. */
    private static int write(Path home, Map<String, Content> files, Set<String> earlier) throws IOException {
        Files.createDirectories(home);
        int kept = 0;
        List<String> written = new ArrayList<>();
        for (Map.Entry<String, Content> file : files.entrySet()) {
            Path to = home.resolve(file.getKey());
            if (CONFIGURATION.contains(file.getKey()) && Files.exists(to)) {
                kept++;
                continue;
            }
            directories(home, parent(to));
            Path unfinished = to.resolveSibling("." + to.getFileName() + ".part");
            file.getValue().write(unfinished);
            if (Path.of(file.getKey()).startsWith(CONF)) {
                restrict(unfinished, OF_FILES);
            }
            Files.move(unfinished, to, StandardCopyOption.REPLACE_EXISTING);
            if (!CONFIGURATION.contains(file.getKey())) {
                written.add(file.getKey());
            }
        }
        for (String old : earlier) {
            Path place = home.resolve(old).normalize();
            if (!files.containsKey(old) && place.startsWith(home) && Files.isRegularFile(place)) {
                Files.delete(place); // a jar of an earlier version
            }
        }
        for (String directory : DIRECTORIES) {
            directories(home, home.resolve(directory));
        }
        Files.write(home.resolve(LIST), written, StandardCharsets.UTF_8);
        return kept;
    }

    /** Creates a directory of the home, and those above it. What there is stays as it is. */
    private static void directories(Path home, Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            directories(home, parent(directory));
            Files.createDirectory(directory);
            if (home.relativize(directory).startsWith(CONF)) {
                restrict(directory, OF_DIRECTORIES);
            }
        }
    }

    private static void restrict(Path place, Set<PosixFilePermission> to) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(place, PosixFileAttributeView.class);
        if (view != null) { // some file systems have none
            view.setPermissions(to);
        }
    }

    private static Path parent(Path file) throws IOException {
        Path parent = file.getParent();
        if (parent == null) {
            throw new FileAlreadyExistsException(file.toString());
        }
        return parent;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static void resource(String name, Path to) throws IOException {
        try (InputStream in = open(TomcatHomeCommand.class, name)) {
            Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static InputStream open(Class<?> beside, String name) throws IOException {
        InputStream in = beside.getResourceAsStream(name);
        if (in == null) {
            throw new IOException("the resource " + name + " is missing");
        }
        return in;
    }

    /** Has the class by which tools start Tomcat; its manifest names the server's jars. */
    private static void bootstrap(Path to, List<String> jars, String version) throws IOException {
        Manifest manifest = manifest("Bootstrap", version);
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, BOOTSTRAP);
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath(jars.stream()));
        jar(to, manifest, List.of(classFile(BOOTSTRAP)), null);
    }

    /** Names the jar with the classes that {@code java.util.logging.manager} and configuration files name. */
    private static void juli(Path to, List<String> jars, String version) throws IOException {
        Manifest manifest = manifest("Logging", version);
        manifest.getMainAttributes()
                .put(Attributes.Name.CLASS_PATH, classPath(jars.stream().filter(jar -> jar.contains("/tomcat-juli-"))));
        jar(to, manifest, List.of(), null);
    }

    /** Has what tools read of Tomcat's jar of this name: versions. */
    private static void catalina(Path to, String version) throws IOException {
        String number = ServerInfo.getServerNumber();
        Manifest manifest = manifest("Apache Tomcat compatible server Millrace", version);
        manifest.getMainAttributes()
                .put(Attributes.Name.IMPLEMENTATION_VERSION, number.substring(0, number.lastIndexOf('.')));
        manifest.getMainAttributes().put(Attributes.Name.SPECIFICATION_TITLE, "Apache Tomcat");
        manifest.getMainAttributes()
                .put(Attributes.Name.SPECIFICATION_VERSION, number.replaceFirst("^(\\d+\\.\\d+).*", "$1"));
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, ServerInfo.class.getName());
        jar(to, manifest, List.of(classFile(ServerInfo.class.getName())), version);
    }

    private static Manifest manifest(String title, String version) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, title);
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VENDOR, "Millrace");
        return manifest;
    }

    private static String classPath(Stream<String> jars) {
        return jars.map(jar -> "../millrace/" + jar).collect(Collectors.joining(" "));
    }

    private static String classFile(String type) {
        return type.replace('.', '/') + ".class";
    }

    /** @param version added to the properties of ServerInfo, which are in the jar; null for a jar without */
    private static void jar(Path to, Manifest manifest, List<String> classes, @Nullable String version)
            throws IOException {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(to))) {
            add(jar, "META-INF/MANIFEST.MF", bytes(manifest));
            for (String name : classes) {
                try (InputStream in = open(TomcatHomeCommand.class, "/" + name)) {
                    add(jar, name, in.readAllBytes());
                }
            }
            if (version != null) {
                String name = "org/apache/catalina/util/ServerInfo.properties";
                try (InputStream in = open(ServerInfo.class, "ServerInfo.properties")) {
                    String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                    add(jar, name, (text + "millrace.version=" + version + "\n").getBytes(StandardCharsets.ISO_8859_1));
                }
            }
        }
    }

    private static byte[] bytes(Manifest manifest) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        manifest.write(bytes);
        return bytes.toByteArray();
    }

    /** The same bytes at each run. */
    private static void add(JarOutputStream jar, String name, byte[] content) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setLastModifiedTime(FileTime.fromMillis(315_532_800_000L)); // the first day of 1980, as zip files count
        jar.putNextEntry(entry);
        jar.write(content);
        jar.closeEntry();
    }
}
