package io.millrace.servlet.identity;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies passwords hashed with bcrypt, by jBCrypt or Spring Security, whichever is on the class path: the JDK has no bcrypt.
 * Without either, users with such a password cannot log in; the hash itself is never accepted as a password.
 */
final class Bcrypt {

    private static final List<String> LIBRARIES =
            List.of("org.mindrot.jbcrypt.BCrypt", "org.springframework.security.crypto.bcrypt.BCrypt");

    private static final @Nullable MethodHandle CHECK = find();

    private Bcrypt() {}

    static boolean matches(String stored, String password) {
        if (CHECK == null) {
            IdentityLog.LOG.noBcrypt(LIBRARIES.get(0));
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
