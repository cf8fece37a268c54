package io.millrace.servlet.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.servlet.log.ServletLog;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Detects the format of a stored password from its syntax; text that matches no format is a plaintext password. */
final class DetectedPasswords implements PasswordFormat {

    static final DetectedPasswords INSTANCE = new DetectedPasswords();

    private static final Pattern BCRYPT = Pattern.compile("\\$2[abxy]\\$[0-9]{2}\\$.{53}");

    private final DigestedPasswords sha1 = new DigestedPasswords("SHA-1");
    private final DigestedPasswords sha256 = new DigestedPasswords("SHA-256");
    private final DigestedPasswords sha512 = new DigestedPasswords("SHA-512");
    private final DigestedPasswords md5 = new DigestedPasswords("MD5");
    private final DerivedKeys pbkdf2 = new DerivedKeys("PBKDF2WithHmacSHA1");

    private DetectedPasswords() {}

    @Override
    public boolean matches(String stored, String password) {
        SaltedHash salted = SaltedHash.parse(stored);
        if (salted != null) {
            switch (salted.hash().length) {
                case 20 -> {
                    boolean key = pbkdf2.matches(salted, password);
                    return sha1.matches(salted, password) || key;
                }
                case 32 -> {
                    return sha256.matches(salted, password);
                }
                case 64 -> {
                    return sha512.matches(salted, password);
                }
                default -> {
                    // a plaintext password of this syntax
                }
            }
        }
        String upper = stored.toUpperCase(Locale.ROOT);
        if (upper.startsWith("{SSHA}") || upper.startsWith("{SHA}")) {
            return sha1.matches(stored, password);
        }
        if (upper.startsWith("{MD5}")) {
            return md5.matches(stored, password);
        }
        if (BCRYPT.matcher(stored).matches()) {
            return Bcrypt.matches(stored, password);
        }
        return MessageDigest.isEqual(stored.getBytes(UTF_8), password.getBytes(UTF_8));
    }

    @Override
    public @Nullable String digestSecret(String stored, String name, String realm, DigestAlgorithm algorithm) {
        return isPlain(stored) ? algorithm.hex(name + ":" + realm + ":" + stored) : null;
    }

    private static boolean isPlain(String stored) {
        SaltedHash salted = SaltedHash.parse(stored);
        boolean hashed = salted != null
                && (salted.hash().length == 20 || salted.hash().length == 32 || salted.hash().length == 64);
        String upper = stored.toUpperCase(Locale.ROOT);
        boolean labelled = upper.startsWith("{SSHA}") || upper.startsWith("{SHA}") || upper.startsWith("{MD5}");
        return !hashed && !labelled && !BCRYPT.matcher(stored).matches();
    }

    /**
     * Verifies passwords hashed with bcrypt, by jBCrypt or Spring Security, whichever is on the class path: the JDK has no bcrypt.
     * Without either, users with such a password cannot log in; the hash itself is never accepted as a password.
     */
    private static final class Bcrypt {

        private static final List<String> LIBRARIES =
                List.of("org.mindrot.jbcrypt.BCrypt", "org.springframework.security.crypto.bcrypt.BCrypt");

        private static final @Nullable MethodHandle CHECK = find();

        private Bcrypt() {}

        static boolean matches(String stored, String password) {
            if (CHECK == null) {
                ServletLog.IDENTITY.noBcrypt(LIBRARIES.get(0));
                return false;
            }
            try {
                // $2b$ and $2y$ mark the same algorithm as $2a$, set by implementations that fixed bugs
                return (boolean) CHECK.invokeExact(password, "$2a" + stored.substring(3));
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        private static @Nullable MethodHandle find() {
            MethodType type = MethodType.methodType(boolean.class, String.class, String.class);
            for (String library : LIBRARIES) {
                try {
                    Class<?> found = Class.forName(library, true, Bcrypt.class.getClassLoader());
                    return MethodHandles.publicLookup().findStatic(found, "checkpw", type);
                } catch (ReflectiveOperationException notThisOne) {
                    // try the next
                }
            }
            return null;
        }
    }
}
