package io.millrace.maven;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** What the goals share that start the server's classes. */
abstract class ServerMojo extends AbstractMojo {

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    @Parameter(defaultValue = "${plugin.artifacts}", readonly = true, required = true)
    private List<Artifact> pluginArtifacts;

    /** Whether the goal does nothing. */
    @Parameter(property = "millrace.skip", defaultValue = "false")
    private boolean skip;

    /** The context path; {@code /} is the root. */
    @Parameter(property = "millrace.contextPath", defaultValue = "/")
    private String contextPath;

    /** The Java whose {@code bin/java} runs the server. */
    @Parameter(property = "millrace.javaHome", defaultValue = "${java.home}")
    private File javaHome;

    /** The sources of the web application: pages, static files and WEB-INF. */
    @Parameter(property = "millrace.webapp", defaultValue = "${project.basedir}/src/main/webapp")
    private File webapp;

    /** The WAR, for goals that use it. */
    @Parameter(property = "millrace.war", defaultValue = "${project.build.directory}/${project.build.finalName}.war")
    private File war;

    /** Where the goals keep what the server needs. */
    @Parameter(defaultValue = "${project.build.directory}/millrace", readonly = true)
    private File directory;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("millrace.skip is set");
            return;
        }
        try {
            run();
        } catch (IOException e) {
            throw new MojoExecutionException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    abstract void run() throws MojoExecutionException, MojoFailureException, IOException, InterruptedException;

    Path directory() {
        return placed(directory);
    }

    /** A file below the project; below the current directory if there is no project, whose parameters then name none. */
    static Path placed(File file) {
        return Path.of(file.getPath().replace("${project.basedir}" + File.separator, ""));
    }

    Path webapp() {
        return webapp.toPath();
    }

    /** Empty for the root. */
    String contextPath() {
        String slashed = contextPath.startsWith("/") ? contextPath : "/" + contextPath;
        return slashed.endsWith("/") ? slashed.substring(0, slashed.length() - 1) : slashed;
    }

    Path java() {
        return javaHome.toPath().resolve("bin").resolve("java");
    }

    /** The server's jars. */
    List<Path> serverJars() {
        return pluginArtifacts.stream()
                .filter(each -> !each.getGroupId().startsWith("org.apache.maven")
                        && !each.getGroupId().startsWith("org.codehaus.plexus")
                        && !each.getArtifactId().equals("millrace-maven-plugin"))
                .map(each -> each.getFile().toPath())
                .filter(file -> file.toString().endsWith(".jar"))
                .sorted()
                .toList();
    }

    /** The WAR of the project. */
    Path war() throws MojoFailureException {
        requireWarProject();
        Path file = war.toPath();
        if (!Files.isRegularFile(file)) {
            throw new MojoFailureException(
                    file + " does not exist; build it first: mvn package, or mvn package and this goal in one command");
        }
        requireJavax(List.of(file));
        return file;
    }

    void requireWarProject() throws MojoFailureException {
        if (!project.getPackaging().equals("war") && !Files.isDirectory(webapp())) {
            throw new MojoFailureException("this project has packaging \"" + project.getPackaging() + "\" and no "
                    + webapp()
                    + ", so it is no web application; set <packaging>war</packaging>, or run the goal in the module"
                    + " of the web application (mvn -pl MODULE millrace:run)");
        }
    }

    /** Refuses an application for the Servlet API of Jakarta EE 9 and later. */
    void requireJavax(List<Path> classes) throws MojoFailureException {
        try {
            if (NamedApi.of(classes) == NamedApi.JAKARTA) {
                throw new MojoFailureException("its classes use jakarta.servlet, which Millrace does not run: it runs"
                        + " javax.servlet (Servlet 4.0, Java EE 8); use libraries of that time, such as Spring Framework 5, or"
                        + " a server for Jakarta EE");
            }
        } catch (IOException e) {
            getLog().debug("cannot read the classes", e);
        }
    }

    /** Packages that old applications expect to be open to reflection; as bin/millrace opens them. */
    static final List<String> OPENED = List.of(
            "java.base/java.lang",
            "java.base/java.io",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/sun.nio.ch",
            "java.rmi/sun.rmi.transport");

    /** The start of a JVM for a server. */
    List<String> command(List<String> jvmOptions, List<Path> classPath, String main, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(java().toString(), "--enable-native-access=ALL-UNNAMED"));
        OPENED.forEach(each -> words.add("--add-opens=" + each + "=ALL-UNNAMED"));
        words.addAll(jvmOptions);
        words.add("-cp");
        words.add(String.join(
                File.pathSeparator, classPath.stream().map(Path::toString).toList()));
        words.add(main);
        words.addAll(arguments);
        return words;
    }

    /** A distribution laid out of the plugin's artifacts, for the commands of its script. */
    Path distribution() throws IOException {
        Path home = directory().resolve("dist");
        Path lib = Files.createDirectories(home.resolve("lib"));
        List<Path> jars = serverJars();
        List<String> names =
                jars.stream().map(jar -> jar.getFileName().toString()).toList();
        try (Stream<Path> present = Files.list(lib)) {
            for (Path old : present.filter(
                            file -> !names.contains(file.getFileName().toString()))
                    .toList()) {
                Files.delete(old);
            }
        }
        for (Path jar : jars) {
            Path to = lib.resolve(jar.getFileName().toString());
            if (!Files.exists(to)
                    || !Files.getLastModifiedTime(to).equals(Files.getLastModifiedTime(jar))
                    || Files.size(to) != Files.size(jar)) {
                Files.copy(jar, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Path script = Files.createDirectories(home.resolve("bin")).resolve("millrace");
        try (InputStream in = ServerMojo.class.getResourceAsStream("millrace")) {
            if (in == null) {
                throw new IOException("the plugin's start script is missing");
            }
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
        }
        if (!script.toFile().setExecutable(true, false)) {
            throw new IOException(script + " cannot be made executable");
        }
        Files.writeString(
                Files.createDirectories(home.resolve("conf")).resolve("server.xml"),
                "<Server><Service><Connector port=\"8080\"/><Engine><Host/></Engine></Service></Server>\n",
                StandardCharsets.UTF_8);
        return home;
    }

    /** Runs a command of the distribution's script to its end. */
    void script(List<String> arguments) throws IOException, InterruptedException, MojoFailureException {
        List<String> words =
                new ArrayList<>(List.of(distribution().resolve("bin/millrace").toString()));
        words.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        builder.environment().put("JAVA_HOME", javaHome.toString());
        int status = builder.start().waitFor();
        if (status != 0) {
            throw new MojoFailureException(
                    "millrace " + arguments.get(0) + " ended with status " + status + "; the lines above say why");
        }
    }
}
