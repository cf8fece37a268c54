package io.millrace.maven.launch;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The main class of a jar of server and application: {@code java -jar app.jar} is {@code millrace run app.war}, with its options. */
public final class PackagedMain {

    private PackagedMain() {}

    /** Serves the application in the jar until SIGTERM or Ctrl-C; arguments are options of {@code millrace run}. */
    public static void main(String[] args) throws Throwable {
        Path directory = Files.createTempDirectory("millrace-app");
        Path war = directory.resolve("app.war");
        try (InputStream in = resource("/millrace-app.war")) {
            Files.copy(in, war);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(war, directory)));
        String path;
        try (InputStream in = resource("/millrace-app.path")) {
            path = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(Arrays.asList(args));
        all.add(war + "=" + path);
        ForkedMain.serve(all.toArray(String[]::new));
    }

    private static InputStream resource(String name) throws IOException {
        InputStream in = PackagedMain.class.getResourceAsStream(name);
        if (in == null) {
            throw new FileNotFoundException(name + " is not in this jar: it was not made by millrace:package");
        }
        return in;
    }

    private static void delete(Path war, Path directory) {
        try {
            Files.deleteIfExists(war);
            Files.deleteIfExists(directory);
        } catch (IOException inUse) {
            // it is in the directory of temporary files
        }
    }
}
