package io.millrace.standalone.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A deployment … */
final class DeploymentTest {

    @ParameterizedTest
    @CsvSource({
        "app.war,/app,app.war",
        "dir/app.war=/shop,/shop,dir/app.war",
        "app.war=shop/,/shop,app.war",
        "app.war=/,'',app.war",
        "app.war=,'',app.war",
        "app.war=/a/b,/a/b,app.war",
        "ROOT.war,'',ROOT.war",
    })
    void isReadFromAnArgument(String argument, String contextPath, String docBase) {
        PlannedDeployment deployment = PlannedDeployment.ofArgument(argument);
        assertEquals(contextPath, deployment.contextPath());
        assertEquals(Path.of(docBase), deployment.docBase());
    }

    @Test
    void ofAFileWithAnEqualsSignInItsNameIsThatFile(@TempDir Path directory) throws IOException {
        Path war = directory.resolve("a=b.war");
        writeWar(war);
        PlannedDeployment deployment = PlannedDeployment.ofArgument(war.toString());
        assertEquals(war, deployment.docBase());
        assertNull(deployment.defect());
    }

    @Test
    void ofAMissingFileSaysSo() {
        assertEquals(
                "there is no such file or directory",
                PlannedDeployment.ofArgument("missing.war").defect());
    }

    @Test
    void ofAFileThatIsNoArchiveSaysSo(@TempDir Path directory) throws IOException {
        Path war = Files.writeString(directory.resolve("bad.war"), "not a zip file");
        String defect = PlannedDeployment.ofFile(war).defect();
        assertNotNull(defect);
        assertTrue(defect.startsWith("it is not a WAR that can be read ("), defect);
    }

    private static void writeWar(Path war) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("index.html"));
        }
    }
}
