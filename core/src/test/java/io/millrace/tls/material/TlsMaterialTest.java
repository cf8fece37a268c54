package io.millrace.tls.material;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.tls.TlsOptions;
import io.millrace.tls.contract.OpenSsl;
import io.millrace.tls.jsse.JsseProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cached material of a configuration … */
class TlsMaterialTest {

    @TempDir
    Path directory;

    private TlsOptions options = TlsOptions.pem(Path.of(""), Path.of(""));

    @BeforeEach
    void makeCertificate() throws Exception {
        new OpenSsl(directory).selfSigned("a", "rsa:2048", "a.test");
        options = TlsOptions.pem(directory.resolve("a.pem"), directory.resolve("a.key"));
    }

    @Test
    void isUsedByTheEnginesThatFollowAReport() {
        ReloadingEngines.inspect(options);
        List<HostMaterial> read = TlsMaterial.read(options, JsseProvider.INSTANCE);
        assertSame(read, TlsMaterial.take(options, JsseProvider.INSTANCE));
    }

    @Test
    void isUsedByOneSetOfEnginesOnly() {
        List<HostMaterial> first = TlsMaterial.take(options, JsseProvider.INSTANCE);
        assertNotSame(first, TlsMaterial.take(options, JsseProvider.INSTANCE));
    }

    @Test
    void isReadAnewIfAFileHasChanged() throws Exception {
        List<HostMaterial> read = TlsMaterial.read(options, JsseProvider.INSTANCE);
        Files.writeString(directory.resolve("a.pem"), "\n" + Files.readString(directory.resolve("a.pem")));
        assertNotSame(read, TlsMaterial.read(options, JsseProvider.INSTANCE));
    }
}
