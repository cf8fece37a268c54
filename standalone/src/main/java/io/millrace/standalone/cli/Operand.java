package io.millrace.standalone.cli;

/**
 * The arguments of a command that are not options.
 *
 * @param name for the help; empty if the command takes none
 * @param least the minimum number
 * @param most the maximum number
 * @param description one sentence for the help
 */
public record Operand(String name, int least, int most, String description) {

    /** For a command that takes none. */
    public static final Operand NONE = new Operand("", 0, 0, "");

    /** For the help: {@code [FILE]}, {@code WAR...} */
    String shown() {
        String all = most > 1 ? name + "..." : name;
        return least == 0 ? "[" + all + "]" : all;
    }
}
