package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.io.Timers;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.VocabularyCases;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.testkit.TestTls;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever one attribute of the vocabulary says: where check finds no error, start gets as far as to serve, with all of its
 * applications.
 */
final class CheckAndStartIT {

    @TempDir
    private Path base = Path.of("");

    private final Properties before = (Properties) System.getProperties().clone();

    @BeforeEach
    void makeBase() throws Exception {
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps/demo/WEB-INF"));
        Files.writeString(base.resolve("conf/tomcat-users.xml"), "<tomcat-users/>");
        TestCertificate.keystore(base.resolve("keys.p12"));
    }

    @AfterEach
    void restore() {
        System.setProperties(before);
    }

    /** Starts every tenth, as a start takes longer than a check; {@link #agreeOnAll} starts the others. */
    @Test
    void agree() throws Exception {
        assertAgreed(10);
    }

    @Test
    @Tag("soak")
    void agreeOnAll() throws Exception {
        assertAgreed(1);
    }

    /** @param step one case in so many is also started */
    private void assertAgreed(int step) throws Exception {
        List<String> wrong = new ArrayList<>();
        int tried = 0;
        for (VocabularyCases.Case each : VocabularyCases.all()) {
            Files.writeString(
                    base.resolve("conf/server.xml"),
                    each.serverXml().replace("'secret'", "'" + TestTls.PASSWORD + "'"));
            String failure;
            try {
                failure = check() == 0 && tried % step == 0 ? failure(each.opens()) : null;
            } catch (RuntimeException defect) {
                failure = defect.toString();
            }
            if (failure != null) {
                wrong.add(each.name() + ": " + failure);
            }
            tried++;
        }
        assertEquals(List.of(), wrong);
        assertTrue(tried > 1000, "the vocabulary is not there");
    }

    private int check() throws Exception {
        PrintWriter out = new PrintWriter(new StringWriter());
        return new CommandLine("millrace", "", List.of(new CheckCommand(out)))
                .execute(out, out, "check", "--base", base.toString());
    }

    /**
     * Why the start would end; null if it would not.
     *
     * @param listening with its ports open
     */
    private @Nullable String failure(boolean listening) throws Exception {
        Timers timers = new Timers("timers of a test");
        BaseDirectory directory = new BaseDirectory(base);
        Problems problems = new Problems("server.xml");
        ServerConfig config = directory.read(directory.serverXml(), problems);
        if (config == null) {
            return problems.inOrder().toString();
        }
        try (SharedResources shared = new SharedResources(directory.classes().server())) {
            for (ServerConfig.Service service : config.services()) {
                Launcher.Plan plan = new ServiceFactory(directory, timers, shared).plan(service);
                try {
                    String lost = lost(service, plan);
                    if (lost == null && listening) {
                        lost = notStarted(plan);
                    }
                    if (lost != null) {
                        return lost;
                    }
                } finally {
                    plan.hosts().forEach(site -> site.watch().close());
                    plan.pools().close();
                }
            }
            return null;
        } catch (OperatorException | IOException | RuntimeException e) {
            return e.toString();
        }
    }

    /** What is deployed and is no application; null if nothing is. */
    private static @Nullable String lost(ServerConfig.Service service, Launcher.Plan plan) throws IOException {
        int planned = 0;
        for (ServerConfig.Host host : service.engine().hosts()) {
            planned += AppBase.deployments(host).size() + host.proxies().size();
        }
        long made = plan.hosts().stream()
                .flatMap(site -> site.applications().stream())
                .filter(application -> !(application instanceof FailedApplication))
                .count();
        return made == planned ? null : "of " + planned + " applications " + made + " are there";
    }

    private static @Nullable String notStarted(Launcher.Plan plan) throws IOException {
        Server server = plan.start();
        try {
            return server.failures().isEmpty() ? null : server.failures().toString();
        } finally {
            server.stop(Duration.ZERO); // the delay before a stop is one of the settings
        }
    }
}
