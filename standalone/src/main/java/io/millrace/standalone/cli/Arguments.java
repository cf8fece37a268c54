package io.millrace.standalone.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was said behind the name of a command. */
public final class Arguments {

    private final Map<String, String> options;
    private final List<String> operands;

    Arguments(Map<String, String> options, List<String> operands) {
        this.options = Map.copyOf(options);
        this.operands = List.copyOf(operands);
    }

    /** The words that are no options. */
    public List<String> operands() {
        return operands;
    }

    /** True if the flag is there. */
    public boolean flag(String option) {
        return options.containsKey(option);
    }

    /** Null if the option is not there. */
    public @Nullable String text(String option) {
        return options.get(option);
    }

    /** Null if the option is not there. */
    public @Nullable Path path(String option) {
        String text = text(option);
        return text == null ? null : Path.of(text);
    }

    /**
     * What is said, or the other number if the option is not there.
     *
     * @throws UsageException if it is no whole number
     */
    public int number(String option, int otherwise) throws UsageException {
        String text = text(option);
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new UsageException(option + "=" + text + ": expected a whole number");
        }
    }
}
