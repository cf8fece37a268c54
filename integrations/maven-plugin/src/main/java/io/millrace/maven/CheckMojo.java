package io.millrace.maven;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Reads the WAR as the server would, and fails the build if it would not start. Says which Servlet API it is written for. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY)
public final class CheckMojo extends ServingMojo {

    @Override
    void run() throws IOException, InterruptedException, MojoFailureException {
        Path war = war();
        getLog().info(war + " is written for " + NamedApi.of(List.of(war)).shown());
        port = 0; // nothing listens
        List<String> words =
                command(List.of(), serverJars(), "io.millrace.standalone.Main", List.of("check", "--base=" + packed()));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        List<String> lines = new ArrayList<>();
        try (BufferedReader output = process.inputReader()) {
            output.lines().forEach(lines::add);
        }
        lines.forEach(line -> getLog().info(line));
        if (process.waitFor() != 0) {
            throw new MojoFailureException("Millrace would not start " + war + "; the lines above say why");
        }
    }
}
