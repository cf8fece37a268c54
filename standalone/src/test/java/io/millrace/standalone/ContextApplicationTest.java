package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.standalone.config.ContextFiles;
import io.millrace.standalone.config.schema.Element;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an application's Context says … */
final class ContextApplicationTest {

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            SSLAuthenticator,      BASIC,       CLIENT-CERT
            SSLAuthenticator,      CLIENT-CERT, CLIENT-CERT
            BasicAuthenticator,    -,           BASIC
            DigestAuthenticator,   BASIC,       DIGEST
            FormAuthenticator,     FORM,        FORM
            NonLoginAuthenticator, BASIC,       NONE
            """)
    void decidesHowUsersLogInWhateverWebXmlSays(
            String authenticator, @Nullable String inWebXml, String method, @TempDir Path war) throws Exception {
        Files.writeString(
                Files.createDirectories(war.resolve("META-INF")).resolve("context.xml"),
                "<Context><Valve className='org.apache.catalina.authenticator." + authenticator + "'/></Context>");
        Element valve = Objects.requireNonNull(ContextFiles.inApplicationsAlone(war)
                .read("shop", war)
                .settings()
                .authenticator());
        LoginConfigModel said = inWebXml == null ? null : new LoginConfigModel(inWebXml, "realm", "/in", "/no");
        assertEquals(method, ContextApplication.login(valve, said).method());
    }
}
