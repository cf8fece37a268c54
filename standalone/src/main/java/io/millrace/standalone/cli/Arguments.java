package io.millrace.standalone.cli;

import io.millrace.text.TimeText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parsed arguments of a command. */
public final class Arguments {

    private final Map<String, String> options;
    private final List<String> operands;

    Arguments(Map<String, String> options, List<String> operands) {
        this.options = Map.copyOf(options);
        this.operands = List.copyOf(operands);
    }

    /** The arguments that are not options. */
    public List<String> operands() {
        return operands;
    }

    /** Whether the flag is given. */
    public boolean flag(String option) {
        return options.containsKey(option);
    }

    /** Null if the option is absent. */
    public @Nullable String text(String option) {
        return options.get(option);
    }

    /** Null if the option is absent. */
    public @Nullable Path path(String option) {
        String text = text(option);
        return text == null ? null : Path.of(text);
    }

    /**
     * Returns the option's value, or the default if it is absent.
     *
     * @throws UsageException if it is not a whole number
     */
    public int number(String option, int byDefault) throws UsageException {
        String text = text(option);
        try {
            return text == null ? byDefault : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new UsageException(option + "=" + text + ": expected a whole number");
        }
    }

    /**
     * Returns the option's value, or the default if it is absent.
     *
     * @throws UsageException if it is no time
     */
    public Duration time(String option, Duration byDefault) throws UsageException {
        String text = text(option);
        Duration time = text == null ? byDefault : TimeText.parse(text);
        if (time == null) {
            throw new UsageException(option + "=" + text + ": " + TimeText.FORM);
        }
        return time;
    }
}
