package io.millrace.standalone.operator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the servers of this machine among its processes: those with our main class and a command that serves. */
final class RunningServers {

    private static final String MAIN = "io.millrace.standalone.Main";

    /**
     * A server.
     *
     * @param base null unless it was started by {@code start}
     */
    record Found(long pid, String command, @Nullable Path base) {}

    private RunningServers() {}

    static List<Found> all() {
        List<Found> found = new ArrayList<>();
        ProcessHandle.allProcesses().forEach(process -> {
            Found server = server(process);
            if (server != null) {
                found.add(server);
            }
        });
        found.sort(Comparator.comparingLong(Found::pid));
        return found;
    }

    private static @Nullable Found server(ProcessHandle process) {
        List<String> words = words(process);
        int main = words.indexOf(MAIN);
        if (main < 0 || main + 1 >= words.size()) {
            return null;
        }
        String command = words.get(main + 1);
        return switch (command) {
            case "start" -> new Found(process.pid(), command, base(process, words.subList(main + 2, words.size())));
            case "run", "proxy" -> new Found(process.pid(), command, null);
            default -> null;
        };
    }

    /** Of Linux's own list, if there is one: the JDK reads its first 4096 bytes only, and a class path is longer. */
    private static List<String> words(ProcessHandle process) {
        Path file = Path.of("/proc", String.valueOf(process.pid()), "cmdline");
        try {
            return List.of(Files.readString(file, StandardCharsets.ISO_8859_1).split("\0"));
        } catch (IOException | SecurityException unreadable) {
            Optional<String[]> arguments = process.info().arguments();
            return arguments.map(List::of).orElse(List.of());
        }
    }

    private static Path base(ProcessHandle process, List<String> arguments) {
        String given = ".";
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (word.startsWith("--base=")) {
                given = word.substring("--base=".length());
            } else if (word.equals("--base") && i + 1 < arguments.size()) {
                given = arguments.get(i + 1);
            }
        }
        Path directory = Path.of("");
        try {
            directory = Files.readSymbolicLink(Path.of("/proc", String.valueOf(process.pid()), "cwd"));
        } catch (IOException | UnsupportedOperationException unknown) {
            // of another user, or another system
        }
        return directory.resolve(given).toAbsolutePath().normalize();
    }
}
