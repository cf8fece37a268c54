package io.millrace.junit;

import io.millrace.ServerBuilder;
import io.millrace.exchange.HttpHandler;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.WebApplicationBuilder;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.ResourceMount;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.ContextOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** What a server under test serves: adds it to the settings of each server that is started. */
interface Served {

    /** Where Maven and Gradle put the classes of the project. */
    List<Path> CLASSES = List.of(Path.of("target/classes"), Path.of("build/classes/java/main"));

    /**
     * Adds a fresh handler or application.
     *
     * @param change the test's changes of an application
     */
    void addTo(ServerBuilder server, Path work, SessionSettings sessions, Consumer<WebApplication> change);

    /** For messages and for {@code uri()}: empty for the root. */
    String contextPath();

    /** For messages. */
    String describe();

    /** A handler of all requests. */
    static Served handler(Supplier<? extends HttpHandler> handler) {
        return new Served() {
            @Override
            public void addTo(
                    ServerBuilder server, Path work, SessionSettings sessions, Consumer<WebApplication> change) {
                server.handler(handler.get());
            }

            @Override
            public String contextPath() {
                return "";
            }

            @Override
            public String describe() {
                return "handler";
            }
        };
    }

    /** Servlets in code. */
    static Served servlets(Consumer<WebApplicationBuilder> servlets, String contextPath) {
        return new Deployed("application", contextPath, () -> {
            WebApplicationBuilder builder = WebApplication.builder(contextPath);
            servlets.accept(builder);
            return builder.build();
        });
    }

    /** A WAR, packed or unpacked. */
    static Served war(Path war, String contextPath) {
        return new Deployed("application " + war, contextPath, () -> {
            if (!Files.exists(war)) {
                throw new ExtensionConfigurationException("There is no WAR " + war + " (" + war.toAbsolutePath()
                        + "). A build packs it after its unit tests: name the test *IT and let Failsafe run it, after"
                        + " \"package\"; or serve src/main/webapp instead");
            }
            return WebApplication.war(war).contextPath(contextPath);
        });
    }

    /** The directory of an application's files, with the classes of the project, which the test sees as well. */
    static Served webapp(Path directory, String contextPath) {
        return new Deployed("application " + directory, contextPath, () -> {
            if (!Files.isDirectory(directory)) {
                throw new ExtensionConfigurationException("There is no directory " + directory + " ("
                        + directory.toAbsolutePath() + "). Tests run in the directory of their project: name its"
                        + " directory with the files of the application, such as src/main/webapp");
            }
            List<ResourceMount> classes = CLASSES.stream()
                    .filter(Files::isDirectory)
                    .map(path ->
                            new ResourceMount(ResourceMount.Kind.DIRECTORY, path, "", "/WEB-INF/classes", false, false))
                    .toList();
            return WebApplication.war(directory)
                    .contextPath(contextPath)
                    .with(ContextOptions.DELEGATE, true) // the classes that the test has
                    .deployment(DeploymentOptions.DEFAULT.withExtra(new ExtraResources(classes, List.of(), List.of())));
        });
    }

    /** An application. */
    record Deployed(String describe, String contextPath, Supplier<WebApplication> application) implements Served {

        @Override
        public void addTo(ServerBuilder server, Path work, SessionSettings sessions, Consumer<WebApplication> change) {
            WebApplication fresh = application.get().workDirectory(work).sessions(sessions);
            change.accept(fresh);
            server.application(fresh).failFast(true);
        }
    }
}
