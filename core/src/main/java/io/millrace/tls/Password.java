package io.millrace.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A password, or the file that contains it. Its string representation does not reveal it. */
public final class Password {

    /** No password. */
    public static final Password NONE = new Password(null, null);

    private final @Nullable String text;
    private final @Nullable Path file;

    private Password(@Nullable String text, @Nullable Path file) {
        this.text = text;
        this.file = file;
    }

    /** This password. */
    public static Password of(String text) {
        return new Password(text, null);
    }

    /**
     * The first line of this file, which is read whenever the password is needed, so that it can be replaced together
     * with the key.
     */
    public static Password file(Path file) {
        return new Password(null, file);
    }

    /** The file that contains it; empty if it is not in a file. */
    public Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    /** Whether this is {@link #NONE}. */
    public boolean isNone() {
        return text == null && file == null;
    }

    /**
     * The password; empty if there is none.
     *
     * @throws IOException if its file cannot be read
     */
    public char[] read() throws IOException {
        if (file != null) {
            return Files.readString(file).lines().findFirst().orElse("").toCharArray();
        }
        return text == null ? new char[0] : text.toCharArray();
    }

    @Override
    public String toString() {
        return isNone() ? "none" : "***";
    }
}
