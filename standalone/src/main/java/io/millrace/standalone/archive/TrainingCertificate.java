package io.millrace.standalone.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate that lives as long as the training. Java makes one by its keytool only. */
final class TrainingCertificate {

    private static final String PASSWORD = "training";

    private static final String ALIAS = "training";

    private TrainingCertificate() {}

    /** Returns false if this Java has no keytool. */
    static boolean create(Path certificate, Path key) throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Path store = certificate.resolveSibling("training.p12");
        if (!Files.isExecutable(keytool) || !generate(keytool, store)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            write(certificate, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
            write(key, "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean generate(Path keytool, Path store) throws IOException, InterruptedException {
        List<String> command = List.of(
                keytool.toString(),
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-alias",
                ALIAS,
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0;
    }

    private static void write(Path file, String type, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }
}
