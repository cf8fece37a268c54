package io.millrace.standalone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The real curl, as a new user would call it. */
final class Curl {

    /** Far more than a 700 MB response takes on a busy machine. */
    private static final String MAX_SECONDS = "120";

    private Curl() {}

    /** What it prints; fails if curl does. */
    static String run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new AssertionError(
                    "curl " + String.join(" ", arguments) + " ended with status " + status + ": " + output);
        }
        return output;
    }

    /** The status of the response alone. */
    static int status(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("-o", "/dev/null", "-w", "%{http_code}"));
        all.addAll(List.of(arguments));
        return Integer.parseInt(run(all.toArray(String[]::new)).strip());
    }

    /** Under way; its output is to be read. */
    static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "--max-time", MAX_SECONDS));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
