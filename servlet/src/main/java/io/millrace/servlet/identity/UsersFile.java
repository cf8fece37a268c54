package io.millrace.servlet.identity;

import io.millrace.text.Placeholders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The users of a tomcat-users.xml: {@code user} with {@code username} (or {@code name}), {@code password}, {@code roles}
 * and {@code groups}; {@code group} with {@code groupname} (or {@code name}) and {@code roles}. Placeholders such as
 * {@code ${admin.password}} or {@code ${admin.roles:-none}} are replaced, by default by system properties as in Tomcat; a file with one
 * that has neither a value nor a default is invalid. A changed file is reloaded by a
 * login, at most every 5 seconds, as with Tomcat's {@code watchSource}; if it is invalid, the users stay as they were.
 * Thread-safe.
 */
public final class UsersFile implements IdentityStore {

    /** The shortest interval between two checks for a change. */
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Path file;
    private final StoredPasswords passwords;
    private final Placeholders placeholders;
    private final AtomicLong checkedAt = new AtomicLong(System.nanoTime());
    private volatile FileTime modified;
    private volatile Map<String, UsersXml.User> users;

    private UsersFile(Path file, PasswordFormat format, Placeholders placeholders) throws IOException {
        this.file = file;
        this.placeholders = placeholders;
        passwords = new StoredPasswords(format);
        modified = Files.getLastModifiedTime(file);
        users = read();
    }

    /**
     * Reads a file whose passwords are in plaintext or in a {@linkplain PasswordFormat#detected() format that is detected}.
     *
     * @throws IOException if the file cannot be read or is invalid; the message names the file and the line
     */
    public static UsersFile read(Path file) throws IOException {
        return read(file, PasswordFormat.detected());
    }

    /**
     * Reads a file.
     *
     * @param format the format of the passwords in it
     * @throws IOException if the file cannot be read or is invalid; the message names the file and the line
     */
    public static UsersFile read(Path file, PasswordFormat format) throws IOException {
        return new UsersFile(file, format, Placeholders.ofProperties());
    }

    /**
     * Reads a file whose placeholders have other values than system properties.
     *
     * @param format the format of the passwords in it
     * @param variables returns the value of a placeholder's name, or null; called whenever the file is read
     * @throws IOException if the file cannot be read or is invalid; the message names the file and the line
     */
    public static UsersFile read(Path file, PasswordFormat format, UnaryOperator<@Nullable String> variables)
            throws IOException {
        return new UsersFile(file, format, new Placeholders(variables));
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        return verify(new Proof.Password(name, password));
    }

    @Override
    public @Nullable Identity verify(Proof proof) {
        long now = System.nanoTime();
        long before = checkedAt.get();
        if (now - before > CHECK_INTERVAL_NANOS && checkedAt.compareAndSet(before, now)) {
            readIfChanged();
        }
        UsersXml.User user = users.get(proof.name());
        boolean matches = passwords.matches(proof, user == null ? null : user.password());
        return user != null && matches ? user.identity() : null;
    }

    /** Reloads the file if its modification time has changed. */
    void readIfChanged() {
        try {
            FileTime time = Files.getLastModifiedTime(file);
            if (!time.equals(modified)) {
                modified = time;
                users = read();
                IdentityLog.LOG.usersReloaded(file.toString(), users.size());
            }
        } catch (IOException e) {
            IdentityLog.LOG.usersNotReloaded(String.valueOf(e.getMessage()));
        }
    }

    private Map<String, UsersXml.User> read() throws IOException {
        Map<String, UsersXml.User> read = UsersXml.read(file, placeholders);
        passwords.seen(read.values().stream().map(UsersXml.User::password).toList());
        return read;
    }
}
