package io.millrace.standalone;

import io.millrace.standalone.base.BaseFiles;
import io.millrace.standalone.base.ServerClasses;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.ServerXml;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory with conf/server.xml, webapps and logs, as Tomcat's CATALINA_BASE. */
final class BaseDirectory {

    private static final String BUILT_IN = """
            <Server><Service><Connector connectionTimeout="20000"/><Engine><Host/></Engine></Service></Server>
            """;

    private final Path directory;
    private final BaseFiles files;

    /** Sets its system properties, so it must run before anything is logged. */
    BaseDirectory(@Nullable Path given) throws OperatorException {
        Path chosen = given == null ? Path.of("") : given;
        directory = chosen.toAbsolutePath().normalize();
        if (!Files.isDirectory(directory)) {
            throw new OperatorException("--base " + chosen + ": there is no such directory");
        }
        files = BaseFiles.read(directory);
    }

    Path serverXml() {
        return directory.resolve("conf").resolve("server.xml");
    }

    Path work() {
        return directory.resolve("work");
    }

    Path resolve(String path) {
        return directory.resolve(path);
    }

    /** Reads a configuration file; null if it has errors. */
    @Nullable
    ServerConfig read(Path file, Problems problems) throws OperatorException {
        try {
            return reader(problems).read(file);
        } catch (NoSuchFileException e) {
            throw new OperatorException(file + ": there is no such file");
        } catch (AccessDeniedException e) {
            throw new OperatorException(file + ": this user may not read it");
        } catch (IOException e) {
            throw new OperatorException(file + ": cannot be read (" + e.getMessage() + ")");
        }
    }

    /** The configuration without a conf/server.xml. */
    ServerConfig builtIn() throws OperatorException {
        Problems problems = new Problems("built-in configuration");
        ServerConfig config = reader(problems).parse(BUILT_IN);
        if (config == null) {
            throw new OperatorException(problems.inOrder().get(0).toString());
        }
        return config;
    }

    private ServerXml reader(Problems problems) {
        return new ServerXml(directory, InstalledTransports.installed(), problems);
    }

    BaseFiles files() {
        return files;
    }

    /** The class loaders of what the operator installed for the server and for all applications. */
    ServerClasses classes() {
        return files.classes();
    }

    /** Returns a file's name for messages: relative to the base directory if it is below it. */
    String nameOf(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        return (absolute.startsWith(directory) ? directory.relativize(absolute) : file).toString();
    }

    static void print(List<Problem> problems, PrintWriter to) {
        for (Problem problem : problems) {
            to.println(problem);
        }
        to.flush();
    }
}
