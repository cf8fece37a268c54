package io.millrace.standalone.cli;

import io.millrace.text.EditDistance;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        if (words[0].equals("help") && words.length > 1) {
            return help(words[1], out);
        }
        if (HELP.contains(words[0])) {
            Help.print(program, description, commands, out);
            return 0;
        }
        String name = VERSION.contains(words[0]) ? "version" : words[0];
        Command command = command(name);
        List<String> arguments = Arrays.asList(words).subList(1, words.length);
        if (arguments.stream().takeWhile(word -> !word.equals("--")).anyMatch(HELP.subList(0, 2)::contains)) {
            return help(name, out);
        }
        return command.run(ArgumentReader.read(command.syntax(), arguments));
    }

    private Command command(String name) throws UsageException {
        Command command = find(name);
        if (command == null) {
            throw new UsageException("there is no command " + name + EditDistance.suggestion(name, names()));
        }
        return command;
    }

    private int help(String name, PrintWriter out) throws UsageException {
        Command command = command(name);
        Help.print(program, command.syntax(), command.example(), out);
        return 0;
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

    /** Parses options and operands, in any order; after {@code --} there are only operands. */
    private static final class ArgumentReader {

        private final Syntax syntax;
        private final Map<String, String> options = new HashMap<>();
        private final List<String> operands = new ArrayList<>();

        private ArgumentReader(Syntax syntax) {
            this.syntax = syntax;
        }

        static Arguments read(Syntax syntax, List<String> words) throws UsageException {
            ArgumentReader reader = new ArgumentReader(syntax);
            reader.read(new ArrayDeque<>(words));
            return new Arguments(reader.options, reader.operands);
        }

        private void read(Deque<String> words) throws UsageException {
            while (!words.isEmpty()) {
                String word = words.pop();
                if (word.equals("--")) {
                    operands.addAll(words);
                    words.clear();
                } else if (word.startsWith("-") && word.length() > 1) {
                    option(word, words);
                } else {
                    operands.add(word);
                }
            }
            checkOperands();
        }

        private void option(String word, Deque<String> following) throws UsageException {
            int equals = word.indexOf('=');
            Option option = known(word, equals < 0 ? word : word.substring(0, equals));
            String value;
            if (option.isFlag()) {
                if (equals >= 0) {
                    throw new UsageException(word + ": " + option.name() + " takes no value");
                }
                value = "";
            } else if (equals >= 0) {
                value = word.substring(equals + 1);
            } else if (!following.isEmpty()) {
                value = following.pop();
            } else {
                throw new UsageException(option.name() + " needs a value: " + option.shown());
            }
            if (options.put(option.name(), value) != null) {
                throw new UsageException(option.name() + " is given twice");
            }
        }

        private Option known(String word, String name) throws UsageException {
            List<String> names = syntax.options().stream().map(Option::name).toList();
            int index = names.indexOf(name);
            if (index < 0) {
                throw new UsageException("there is no option " + word + EditDistance.suggestion(name, names));
            }
            return syntax.options().get(index);
        }

        private void checkOperands() throws UsageException {
            Operand operand = syntax.operand();
            if (operands.size() < operand.least()) {
                throw new UsageException("missing operand of " + syntax.name() + ": " + operand.shown());
            }
            if (operands.size() > operand.most()) {
                throw new UsageException("unexpected argument: " + operands.get(operand.most()));
            }
        }
    }

    /** Prints help in lines of at most 80 characters. */
    private static final class Help {

        private static final int WIDTH = 80;

        private Help() {}

        /** All commands. */
        static void print(String program, String description, List<Command> commands, PrintWriter to) {
            to.println("Usage: " + program + " COMMAND [OPTION]...");
            to.println(description);
            Map<String, String> entries = new LinkedHashMap<>();
            commands.forEach(command ->
                    entries.put(command.syntax().name(), command.syntax().description()));
            print(entries, to);
            to.println("`" + program + " COMMAND --help` lists its options.");
            to.println("Exit status: 0 stopped by a signal, or no errors; 1 failure,");
            to.println("described on stderr; 2 wrong usage");
        }

        /** One command. */
        static void print(String program, Syntax syntax, String example, PrintWriter to) {
            Operand operand = syntax.operand();
            String usage = "Usage: " + program + " " + syntax.name() + " [OPTION]...";
            to.println(operand.most() == 0 ? usage : usage + " " + operand.shown());
            to.println(syntax.description());
            Map<String, String> entries = new LinkedHashMap<>();
            if (operand.most() > 0) {
                entries.put(operand.name(), operand.description());
            }
            syntax.options().forEach(option -> entries.put(option.shown(), option.description()));
            entries.put("--help", "Prints this help");
            print(entries, to);
            if (!example.isEmpty()) {
                to.println("Example: " + example);
            }
        }

        private static void print(Map<String, String> entries, PrintWriter to) {
            int column =
                    entries.keySet().stream().mapToInt(String::length).max().orElse(0) + 4;
            entries.forEach((name, description) -> entry(name, description, column, to));
        }

        /** Prints a name and its description, which starts at a column. */
        private static void entry(String name, String description, int column, PrintWriter to) {
            StringBuilder line = new StringBuilder("  ").append(name);
            pad(line, column);
            for (String word : description.split(" ", -1)) {
                if (line.length() + word.length() >= WIDTH) {
                    to.println(line);
                    line.setLength(0);
                    pad(line, column + 1);
                }
                line.append(' ').append(word);
            }
            to.println(line);
        }

        private static void pad(StringBuilder line, int column) {
            while (line.length() < column - 1) {
                line.append(' ');
            }
        }
    }
}
