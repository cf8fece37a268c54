package io.millrace.tls.material;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.tls.TlsHost;
import io.millrace.tls.contract.OpenSsl;
import io.millrace.tls.jsse.JsseProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates whose files stay while a symbolic link is swapped … */
class SwappedLinksTest {

    @TempDir
    Path directory;

    @BeforeEach
    void makeCertificates() throws Exception {
        for (String version : List.of("1", "2")) {
            Path own = Files.createDirectories(directory.resolve("archive" + version));
            new OpenSsl(own).selfSigned("tls", "rsa:2048", version + ".test");
        }
    }

    /** {@code live/tls.pem -> ../archive/tls1.pem}: each file's link by itself. */
    @Test
    void areTakenAsCertbotSwapsThem() throws Exception {
        Path live = Files.createDirectories(directory.resolve("live"));
        for (String file : List.of("tls.pem", "tls.key")) {
            swap(live.resolve(file), Path.of("../archive1", file));
        }
        ReloadingHost host = host(live);
        for (String file : List.of("tls.pem", "tls.key")) {
            swap(live.resolve(file), Path.of("../archive2", file));
        }
        assertEquals("CN=2.test", subjectAfterTwoLooks(host));
    }

    /** {@code tls.pem -> ..data/tls.pem}, {@code ..data -> ..2026_11_21}: the directory's link for all files at once. */
    @Test
    void areTakenAsKubernetesSwapsThem() throws Exception {
        Path mount = Files.createDirectories(directory.resolve("mount"));
        Path data = mount.resolve("..data");
        swap(data, Path.of("../archive1"));
        for (String file : List.of("tls.pem", "tls.key")) {
            Files.createSymbolicLink(mount.resolve(file), Path.of("..data", file));
        }
        ReloadingHost host = host(mount);
        swap(data, Path.of("../archive2"));
        assertEquals("CN=2.test", subjectAfterTwoLooks(host));
    }

    private static void swap(Path link, Path target) throws Exception {
        Path fresh = link.resolveSibling(link.getFileName() + "_tmp");
        Files.createSymbolicLink(fresh, target);
        Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static ReloadingHost host(Path live) {
        TlsHost host = TlsHost.any().pem(live.resolve("tls.pem"), live.resolve("tls.key"));
        return new ReloadingHost(HostMaterial.read(host, JsseProvider.INSTANCE), JsseProvider.INSTANCE, List.of());
    }

    private static String subjectAfterTwoLooks(ReloadingHost host) {
        host.check();
        host.check();
        return host.entries().get(0).certificate().getSubjectX500Principal().getName();
    }
}
