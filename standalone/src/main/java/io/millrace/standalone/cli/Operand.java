package io.millrace.standalone.cli;

/**
 * The words of a command that are no options.
 *
 * @param name what its help calls them; empty if the command takes none
 * @param least how many there must be
 * @param most how many there may be
 * @param description one sentence for the help
 */
public record Operand(String name, int least, int most, String description) {

    /** For a command that takes none. */
    public static final Operand NONE = new Operand("", 0, 0, "");

    /** As its help shows it: {@code [FILE]}, {@code WAR...} */
    String shown() {
        String all = most > 1 ? name + "..." : name;
        return least == 0 ? "[" + all + "]" : all;
    }
}
