package io.millrace.maven;

import java.io.IOException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Serves the application as it is in the source tree, until Ctrl-C: classes, pages, libraries and overlays where they are. Changed classes
 * restart the application with its sessions; pages and static files are used as they are.
 */
@Mojo(name = "run", requiresDependencyResolution = ResolutionScope.RUNTIME)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class RunMojo extends ServingMojo {

    @Override
    void run() throws IOException, InterruptedException, MojoExecutionException, MojoFailureException {
        start(exploded(), null).process().waitFor();
    }
}
