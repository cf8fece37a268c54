package io.millrace.servlet.identity;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Keys derived from passwords (PBKDF2), as Tomcat's SecretKeyCredentialHandler makes them. */
record DerivedKeys(String algorithm) implements PasswordFormat {

    /** Checks that Java has it. */
    DerivedKeys {
        try {
            SecretKeyFactory.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalArgumentException(
                    "algorithm \"" + algorithm
                            + "\": this Java derives no such keys; expected PBKDF2WithHmacSHA512 or its like",
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
            return false; // there is no such key
        }
        PBEKeySpec spec =
                new PBEKeySpec(password.toCharArray(), stored.salt(), stored.iterations(), stored.hash().length * 8);
        try {
            byte[] key =
                    SecretKeyFactory.getInstance(algorithm).generateSecret(spec).getEncoded();
            return MessageDigest.isEqual(stored.hash(), key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java has no " + algorithm + ".", e);
        } finally {
            spec.clearPassword();
        }
    }
}
