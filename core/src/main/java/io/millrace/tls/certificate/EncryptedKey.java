package io.millrace.tls.certificate;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.util.Map;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Decrypts keys in PKCS#8: PBES2 (RFC 8018, 6.2) with PBKDF2 and AES or 3DES, as written by OpenSSL, of which the JDK supports
 * only a part. The older PBES1 is left to the JDK.
 */
final class EncryptedKey {

    private static final String PBES2 = "1.2.840.113549.1.5.13";
    private static final String PBKDF2 = "1.2.840.113549.1.5.12";

    /** A larger iteration count is an error, or a denial of service. */
    private static final int MAX_ITERATIONS = 20_000_000;

    private static final Map<String, String> FUNCTIONS = Map.of(
            "1.2.840.113549.2.7", "PBKDF2WithHmacSHA1",
            "1.2.840.113549.2.8", "PBKDF2WithHmacSHA224",
            "1.2.840.113549.2.9", "PBKDF2WithHmacSHA256",
            "1.2.840.113549.2.10", "PBKDF2WithHmacSHA384",
            "1.2.840.113549.2.11", "PBKDF2WithHmacSHA512");

    private record Scheme(String algorithm, String transformation, int keyBytes) {}

    private static final Map<String, Scheme> SCHEMES = Map.of(
            "2.16.840.1.101.3.4.1.2", new Scheme("AES", "AES/CBC/PKCS5Padding", 16),
            "2.16.840.1.101.3.4.1.22", new Scheme("AES", "AES/CBC/PKCS5Padding", 24),
            "2.16.840.1.101.3.4.1.42", new Scheme("AES", "AES/CBC/PKCS5Padding", 32),
            "1.2.840.113549.3.7", new Scheme("DESede", "DESede/CBC/PKCS5Padding", 24));

    private EncryptedKey() {}

    /** The decrypted PKCS#8 key. */
    static byte[] decrypt(byte[] encrypted, char[] password) throws GeneralSecurityException {
        DerReader info = new DerReader(encrypted).enter(DerReader.SEQUENCE);
        DerReader algorithm = info.enter(DerReader.SEQUENCE);
        if (!algorithm.objectId().equals(PBES2)) {
            return decryptByJdk(encrypted, password);
        }
        DerReader parameters = algorithm.enter(DerReader.SEQUENCE);
        DerReader derivation = parameters.enter(DerReader.SEQUENCE);
        DerReader scheme = parameters.enter(DerReader.SEQUENCE);
        byte[] data = info.read(DerReader.OCTET_STRING);
        String schemeId = scheme.objectId();
        Scheme known = SCHEMES.get(schemeId);
        if (known == null) {
            throw new InvalidKeySpecException("is encrypted by the cipher " + schemeId + "; expected AES or 3DES");
        }
        byte[] vector = scheme.read(DerReader.OCTET_STRING);
        byte[] key = derive(derivation, password, known.keyBytes);
        return decrypt(known, key, vector, data);
    }

    /** RFC 8018, 5.2. */
    private static byte[] derive(DerReader derivation, char[] password, int keyBytes) throws GeneralSecurityException {
        String id = derivation.objectId();
        if (!id.equals(PBKDF2)) {
            throw new InvalidKeySpecException("derives the key from its password by " + id + "; expected PBKDF2");
        }
        DerReader parameters = derivation.enter(DerReader.SEQUENCE);
        byte[] salt = parameters.read(DerReader.OCTET_STRING);
        int iterations = parameters.number();
        if (iterations < 1 || iterations > MAX_ITERATIONS) {
            throw new InvalidKeySpecException(
                    "derives the key from its password " + iterations + " times; expected 1 to " + MAX_ITERATIONS);
        }
        if (parameters.isNext(DerReader.INTEGER)) {
            parameters.number();
        }
        String function =
                parameters.hasMore() ? parameters.enter(DerReader.SEQUENCE).objectId() : "1.2.840.113549.2.7";
        SecretKeyFactory factory = SecretKeyFactory.getInstance(FUNCTIONS.getOrDefault(function, function));
        return factory.generateSecret(new PBEKeySpec(password, salt, iterations, keyBytes * 8))
                .getEncoded();
    }

    private static byte[] decrypt(Scheme scheme, byte[] key, byte[] vector, byte[] data)
            throws GeneralSecurityException {
        return decrypt(
                scheme.transformation, new SecretKeySpec(key, scheme.algorithm), new IvParameterSpec(vector), data);
    }

    static byte[] decrypt(String transformation, SecretKey key, AlgorithmParameterSpec parameters, byte[] data)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(transformation);
        cipher.init(Cipher.DECRYPT_MODE, key, parameters);
        try {
            return cipher.doFinal(data);
        } catch (BadPaddingException e) {
            throw new WrongPasswordException(e);
        }
    }

    private static byte[] decryptByJdk(byte[] encrypted, char[] password) throws GeneralSecurityException {
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(encrypted);
            AlgorithmParameters parameters = info.getAlgParameters();
            SecretKey key = SecretKeyFactory.getInstance(info.getAlgName()).generateSecret(new PBEKeySpec(password));
            Cipher cipher = Cipher.getInstance(info.getAlgName());
            cipher.init(Cipher.DECRYPT_MODE, key, parameters);
            return cipher.doFinal(info.getEncryptedData());
        } catch (BadPaddingException e) {
            throw new WrongPasswordException(e);
        } catch (java.io.IOException e) {
            throw new InvalidKeySpecException("is not a PKCS#8 key", e);
        }
    }
}
