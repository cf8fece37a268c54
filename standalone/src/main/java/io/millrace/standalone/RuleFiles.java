package io.millrace.standalone;

import io.millrace.rules.RuleSetup;
import io.millrace.rules.RuleSyntaxException;
import io.millrace.rules.Rules;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.RuleUsers;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.RulesKind;
import io.millrace.standalone.config.schema.Element;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads rules of operators. Those of an application are read with it. */
final class RuleFiles {

    private RuleFiles() {}

    /**
     * Reads the file of a Rules element.
     *
     * @param base the directory to which names are relative
     * @param users null if nobody can log in
     * @throws OperatorException if there is none, or if it is invalid; the message shows the place
     */
    static Rules of(Element element, Path base, @Nullable IdentityStore users) throws OperatorException {
        String name = String.valueOf(element.find(RulesKind.FILE));
        try {
            return parse(name + ":", Files.readString(base.resolve(name)), setup(base, users));
        } catch (IOException e) {
            throw new OperatorException("file=\"" + name + "\" on Rules cannot be read (" + e + ")");
        }
    }

    /**
     * Reads a file to whose directory names in it are relative.
     *
     * @throws OperatorException if it cannot be read or is invalid; the message shows the place
     */
    static Rules ofFile(Path file, @Nullable IdentityStore users) throws OperatorException {
        try {
            return parse(
                    file + ":",
                    Files.readString(file),
                    setup(file.toAbsolutePath().resolveSibling(""), users));
        } catch (IOException e) {
            throw new OperatorException(file + " cannot be read (" + e + ")");
        }
    }

    /**
     * Reads a text.
     *
     * @param name what it is, for messages
     * @throws OperatorException if it is invalid; the message shows the place
     */
    static Rules ofText(String name, String text, @Nullable IdentityStore users) throws OperatorException {
        return parse(name + " ", text, setup(Path.of(""), users));
    }

    private static Rules parse(String prefix, String text, RuleSetup setup) throws OperatorException {
        try {
            return Rules.parse(text, setup);
        } catch (RuleSyntaxException e) {
            throw new OperatorException(prefix + e.getMessage());
        }
    }

    private static RuleSetup setup(Path base, @Nullable IdentityStore users) {
        return RuleSetup.DEFAULTS.withDirectory(base).withUsers(users == null ? null : new RuleUsers(users));
    }
}
