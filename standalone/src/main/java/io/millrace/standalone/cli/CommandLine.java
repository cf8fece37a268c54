package io.millrace.standalone.cli;

import io.millrace.text.EditDistance;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the command, parses its arguments, runs it, and reports wrong usage.
 *
 * @param program its name, for messages
 * @param description one sentence for the help
 */
public record CommandLine(String program, String description, List<Command> commands) {

    private static final int WRONG_USAGE = 2;

    private static final List<String> HELP = List.of("-h", "--help", "help");
    private static final List<String> VERSION = List.of("-V", "--version");

    /**
     * Runs the command that the arguments specify.
     *
     * @return the exit status
     * @throws Exception if the command fails
     */
    public int execute(PrintWriter out, PrintWriter err, String... words) throws Exception {
        try {
            return execute(out, words);
        } catch (UsageException e) {
            String command = words.length > 0 && find(words[0]) != null ? " " + words[0] : "";
            err.println(program + ": " + e.getMessage() + "\nFor help: " + program + command + " --help");
            return WRONG_USAGE;
        }
    }

    private int execute(PrintWriter out, String... words) throws Exception {
        if (words.length == 0) {
            throw new UsageException("missing command: " + String.join(", ", names()));
        }
        if (HELP.contains(words[0])) {
            Help.print(program, description, commands, out);
            return 0;
        }
        String name = VERSION.contains(words[0]) ? "version" : words[0];
        Command command = find(name);
        if (command == null) {
            throw new UsageException("there is no command " + name + EditDistance.suggestion(name, names()));
        }
        List<String> arguments = Arrays.asList(words).subList(1, words.length);
        if (arguments.stream().takeWhile(word -> !word.equals("--")).anyMatch(HELP.subList(0, 2)::contains)) {
            Help.print(program, command.syntax(), out);
            return 0;
        }
        return command.run(ArgumentReader.read(command.syntax(), arguments));
    }

    private List<String> names() {
        return commands.stream().map(command -> command.syntax().name()).toList();
    }

    private @Nullable Command find(String name) {
        return commands.stream()
                .filter(command -> command.syntax().name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
