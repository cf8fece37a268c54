package io.millrace.maven;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;

/** Undeploys the application from a running server, by the manager's text interface. */
@Mojo(name = "undeploy")
public final class UndeployMojo extends ManagerMojo {

    @Override
    void run() throws IOException, InterruptedException, MojoFailureException {
        ask("undeploy", "", "GET", BodyPublishers.noBody());
    }
}
