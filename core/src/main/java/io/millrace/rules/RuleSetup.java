package io.millrace.rules;

import io.millrace.handler.BasicAuthentication;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What rules may use of the program that reads them.
 *
 * @param directory to which the names of directories are relative
 * @param users those of {@code basic-auth}; null if there are none, so that it is refused
 * @param strict whether to refuse what Undertow reads differently: actions after a semicolon that follow a predicate without braces
 */
public record RuleSetup(Path directory, BasicAuthentication.@Nullable Users users, boolean strict) {

    /** The working directory, and no users. */
    public static final RuleSetup DEFAULTS = new RuleSetup(Path.of(""), null, false);

    /** The same with another directory. */
    public RuleSetup withDirectory(Path other) {
        return new RuleSetup(other, users, strict);
    }

    /** The same with users. */
    public RuleSetup withUsers(BasicAuthentication.@Nullable Users other) {
        return new RuleSetup(directory, other, strict);
    }

    /** The same for files that were written for Undertow. */
    public RuleSetup withStrict() {
        return new RuleSetup(directory, users, true);
    }
}
