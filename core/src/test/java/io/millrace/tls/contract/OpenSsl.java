package io.millrace.tls.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs the openssl command in a directory, so that keys and certificates of tests are not created by our own code. */
public final class OpenSsl {

    private final Path directory;

    public OpenSsl(Path directory) {
        this.directory = directory;
    }

    /** Returns its output; fails if the command fails. */
    public String run(String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("openssl"));
        words.addAll(Arrays.asList(command.split(" ")));
        Path output = Files.createTempFile(directory, "openssl", ".log");
        Process process = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int result = process.waitFor();
        String text = Files.readString(output, StandardCharsets.ISO_8859_1);
        if (result != 0) {
            throw new IOException(String.join(" ", words) + " failed: " + text);
        }
        return text;
    }

    /** Creates a self-signed certificate {@code name.pem} with key {@code name.key}. */
    public void selfSigned(String name, String key, String host) throws IOException, InterruptedException {
        run("req -x509 -newkey " + key + " -nodes -keyout " + name + ".key -out " + name + ".pem -days 3650 -subj /CN="
                + host + " -addext subjectAltName=DNS:" + host);
    }

    /** A file in the directory. */
    public Path file(String name) {
        return directory.resolve(name);
    }
}
