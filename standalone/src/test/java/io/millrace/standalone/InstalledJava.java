package io.millrace.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The Javas of this machine, where packages put them. */
final class InstalledJava {

    private static final Path HOMES = Path.of("/usr/lib/jvm");

    private InstalledJava() {}

    /** The home of one of this version. */
    static Optional<Path> home(int version) throws IOException {
        if (Files.notExists(HOMES)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(HOMES)) {
            return homes.filter(home -> isVersion(home, version)).findFirst();
        }
    }

    private static boolean isVersion(Path home, int version) {
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"" + version + ".");
        } catch (IOException notAJava) {
            return false;
        }
    }
}
