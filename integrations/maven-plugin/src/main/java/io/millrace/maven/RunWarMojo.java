package io.millrace.maven;

import java.io.IOException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Packs the WAR and serves it until Ctrl-C. */
@Mojo(name = "run-war")
@Execute(phase = LifecyclePhase.PACKAGE)
public final class RunWarMojo extends ServingMojo {

    @Override
    void run() throws IOException, InterruptedException, MojoExecutionException, MojoFailureException {
        start(packed(), null).process().waitFor();
    }
}
