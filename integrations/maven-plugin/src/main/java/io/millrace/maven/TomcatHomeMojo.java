package io.millrace.maven;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Writes a directory that tools take for an installed Tomcat 9. */
@Mojo(name = "tomcat-home", requiresProject = false)
public final class TomcatHomeMojo extends ServerMojo {

    /** The new directory. */
    @Parameter(property = "millrace.home", defaultValue = "${project.build.directory}/millrace/home")
    private File home;

    /** Whether the files of an earlier one are replaced. */
    @Parameter(property = "millrace.force", defaultValue = "false")
    private boolean force;

    @Override
    void run() throws IOException, InterruptedException, MojoFailureException {
        String to = placed(home).toString();
        script(force ? List.of("tomcat-home", "--force", to) : List.of("tomcat-home", to));
    }
}
