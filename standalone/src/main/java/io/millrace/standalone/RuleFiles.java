package io.millrace.standalone;

import io.millrace.handler.BasicAuthentication;
import io.millrace.rules.RuleSetup;
import io.millrace.rules.RuleSyntaxException;
import io.millrace.rules.Rules;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.RulesKind;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.RewriteValve;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Reads rules of operators and applications. */
final class RuleFiles {

    /** The file of an application that was written for Undertow. */
    private static final String OF_UNDERTOW = "WEB-INF/undertow-handlers.conf";

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
     * Reads the rules in an application.
     *
     * @param docBase its WAR or directory
     * @param users null if nobody can log in
     * @return null if there are none
     * @throws OperatorException if they are invalid; the message shows the place
     */
    static @Nullable Rules ofApplication(Path docBase, @Nullable IdentityStore users) throws OperatorException {
        byte[] text;
        try {
            text = RewriteValve.inside(docBase, OF_UNDERTOW);
        } catch (IOException e) {
            if (!isReadable(docBase)) {
                return null; // which is reported where the application is read
            }
            throw new OperatorException(OF_UNDERTOW + " cannot be read (" + e + ")");
        }
        return text == null
                ? null
                : parse(
                        OF_UNDERTOW + ":",
                        new String(text, StandardCharsets.UTF_8),
                        setup(docBase, users).withStrict());
    }

    private static boolean isReadable(Path docBase) {
        if (Files.isDirectory(docBase)) {
            return true;
        }
        try (ZipFile readable = new ZipFile(docBase.toFile())) {
            return readable.size() > 0;
        } catch (IOException e) {
            return false;
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
        return RuleSetup.DEFAULTS.withDirectory(base).withUsers(users == null ? null : new Logins(users));
    }

    private record Logins(IdentityStore store) implements BasicAuthentication.Users {

        @Override
        public BasicAuthentication.@Nullable User verify(String name, String password) {
            try {
                Identity identity = store.verify(name, password);
                return identity == null ? null : new BasicAuthentication.User(identity.name(), identity.roles());
            } catch (StoreUnavailableException e) {
                throw new BasicAuthentication.UnavailableException("the users cannot be asked", e);
            }
        }
    }
}
