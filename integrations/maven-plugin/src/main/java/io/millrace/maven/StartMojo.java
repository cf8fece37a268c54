package io.millrace.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Serves the WAR for integration tests, at a free port that the property {@code millrace.http.port} then names, until {@code stop} or the
 * end of Maven. The server's log is in {@code target/millrace/server.log}.
 */
@Mojo(name = "start", defaultPhase = LifecyclePhase.PRE_INTEGRATION_TEST)
public final class StartMojo extends ServingMojo {

    /** Of the server in {@link #getPluginContext}. */
    static final String RUNNING = "io.millrace.maven.running";

    /** The port for tests; 0 for a free one. */
    @Parameter(property = "millrace.test.port", defaultValue = "0")
    private int testPort;

    /** The server's log. */
    @Parameter(defaultValue = "${project.build.directory}/millrace/server.log")
    private File log;

    @Override
    @SuppressWarnings("unchecked")
    void run() throws IOException, InterruptedException, MojoExecutionException, MojoFailureException {
        if (getPluginContext().get(RUNNING) instanceof Server) {
            throw new MojoFailureException(
                    "a server of this build is running already; stop it first with millrace:stop");
        }
        port = testPort;
        Path base = packed();
        Files.createDirectories(log.toPath().toAbsolutePath().getParent());
        Server server = start(base, log.toPath());
        getPluginContext().put(RUNNING, server);
        project.getProperties().setProperty("millrace.http.port", String.valueOf(server.port()));
        getLog().info("http://localhost:" + server.port() + contextPath() + "/, log in " + log);
    }
}
