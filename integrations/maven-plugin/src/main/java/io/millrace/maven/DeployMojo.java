package io.millrace.maven;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;

/** Deploys the WAR on a running server, or replaces it there, by the manager's text interface. */
@Mojo(name = "deploy")
public final class DeployMojo extends ManagerMojo {

    @Override
    void run() throws IOException, InterruptedException, MojoFailureException {
        ask("deploy", "&update=true", "PUT", BodyPublishers.ofFile(war()));
    }
}
