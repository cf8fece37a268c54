package io.millrace.servlet.identity;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Keys derived from passwords (PBKDF2), in the format of Tomcat's SecretKeyCredentialHandler. */
record DerivedKeys(String algorithm) implements PasswordFormat {

    /** Checks that the JVM provides the algorithm. */
    DerivedKeys {
        try {
            SecretKeyFactory.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalArgumentException(
                    "algorithm \"" + algorithm
                            + "\" is not a SecretKeyFactory of this JVM; expected, for example, PBKDF2WithHmacSHA512",
                    e);
        }
    }

    @Override
    public boolean matches(String stored, String password) {
        SaltedHash parts = SaltedHash.parse(stored);
        return parts != null && matches(parts, password);
    }

    boolean matches(SaltedHash stored, String password) {
        if (stored.salt().length == 0) {
            return false; // PBKDF2 requires a salt
        }
        PBEKeySpec spec =
                new PBEKeySpec(password.toCharArray(), stored.salt(), stored.iterations(), stored.hash().length * 8);
        try {
            byte[] key =
                    SecretKeyFactory.getInstance(algorithm).generateSecret(spec).getEncoded();
            return MessageDigest.isEqual(stored.hash(), key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(algorithm + " is not available in this JVM", e);
        } finally {
            spec.clearPassword();
        }
    }
}
