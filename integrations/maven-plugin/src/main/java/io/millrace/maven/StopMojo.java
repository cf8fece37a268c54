package io.millrace.maven;

import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Stops the server that {@code start} has started in this build. */
@Mojo(name = "stop", defaultPhase = LifecyclePhase.POST_INTEGRATION_TEST)
public final class StopMojo extends ServerMojo {

    @Override
    void run() throws InterruptedException, MojoFailureException {
        if (!(getPluginContext().remove(StartMojo.RUNNING) instanceof ServingMojo.Server server)) {
            throw new MojoFailureException(
                    "no server of this build is running; millrace:start, in a phase before, starts one"
                            + " (a server ends with the Maven that started it)");
        }
        server.stop();
    }
}
