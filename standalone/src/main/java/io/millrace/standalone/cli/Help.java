package io.millrace.standalone.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints help in lines of at most 80 characters. */
final class Help {

    private static final int WIDTH = 80;

    private Help() {}

    /** All commands. */
    static void print(String program, String description, List<Command> commands, PrintWriter to) {
        to.println("Usage: " + program + " COMMAND [OPTION]...");
        to.println(description);
        Map<String, String> entries = new LinkedHashMap<>();
        commands.forEach(
                command -> entries.put(command.syntax().name(), command.syntax().description()));
        print(entries, to);
        to.println("`" + program + " COMMAND --help` lists its options.");
        to.println("Exit status: 0 stopped by a signal, or no errors; 1 failure,");
        to.println("described on stderr; 2 wrong usage");
    }

    /** One command. */
    static void print(String program, Syntax syntax, PrintWriter to) {
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
    }

    private static void print(Map<String, String> entries, PrintWriter to) {
        int column = entries.keySet().stream().mapToInt(String::length).max().orElse(0) + 4;
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
