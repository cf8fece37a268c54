package io.millrace.servlet.security;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The users of a tomcat-users.xml. */
@SuppressWarnings("DoNotCallSuggester")
public final class UsersFile implements IdentityStore {

    private UsersFile() {}

    /**
     * Reads it once.
     *
     * @throws IOException if it can't be read or is not such a file; the message names file and line
     */
    public static UsersFile read(Path file) throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        throw new UnsupportedOperationException();
    }
}
