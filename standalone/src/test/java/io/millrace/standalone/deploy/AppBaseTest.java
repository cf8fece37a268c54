package io.millrace.standalone.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.ServerXml;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A virtual host … */
final class AppBaseTest {

    @TempDir
    private Path base = Path.of("");

    private Path apps = Path.of("");

    @BeforeEach
    void makeAppBase() throws IOException {
        apps = Files.createDirectory(base.resolve("webapps"));
    }

    @Test
    void deploysWarsAndDirectoriesButNothingElse() throws IOException {
        war("ROOT.war");
        war("shop#admin.war");
        Files.createDirectories(apps.resolve("plain/WEB-INF"));
        Files.createDirectories(apps.resolve(".hidden"));
        Files.createDirectories(apps.resolve("META-INF"));
        Files.writeString(apps.resolve("notes.txt"), "");
        assertEquals(List.of(" ROOT.war", "/plain plain", "/shop/admin shop#admin.war"), deployed(""));
    }

    @Test
    void takesTheWarRatherThanTheDirectoryUnpackedFromIt() throws IOException {
        war("shop.war");
        Files.createDirectories(apps.resolve("shop/WEB-INF"));
        assertEquals(List.of("/shop shop.war"), deployed(""));
    }

    @Test
    void takesAllVersions() throws IOException {
        war("shop##1.war");
        war("shop##2.war");
        war("shop.war");
        assertEquals(List.of("/shop shop.war", "/shop shop##1.war", "/shop shop##2.war"), deployed(""));
    }

    @Test
    void deploysWhatAContextNamesOnceAndUnderItsPath() throws IOException {
        war("shop.war");
        assertEquals(List.of("/store shop.war"), deployed("<Context path='/store' docBase='shop.war'/>"));
    }

    @Test
    void namesABrokenWarAndGoesOn() throws IOException {
        war("good.war");
        Files.writeString(apps.resolve("bad.war"), "");
        assertEquals(
                List.of("/bad bad.war: it is not a WAR that can be read (zip file is empty)", "/good good.war"),
                deployed(""));
    }

    private List<String> deployed(String contexts) throws IOException {
        Problems problems = new Problems("server.xml");
        Path file = Files.writeString(
                base.resolve("server.xml"),
                "<Server><Service><Connector port='0'/><Engine><Host>" + contexts
                        + "</Host></Engine></Service></Server>");
        ServerConfig config = new ServerXml(base, Set.of("nio"), problems).read(file);
        assertNotNull(config, () -> problems.inOrder().toString());
        return AppBase.deployments(config.services().get(0).engine().hosts().get(0)).stream()
                .map(found -> found.contextPath() + " " + found.docBase().getFileName()
                        + (found.defect() == null ? "" : ": " + found.defect()))
                .toList();
    }

    private void war(String name) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(apps.resolve(name)))) {
            zip.putNextEntry(new ZipEntry("index.html"));
        }
    }
}
