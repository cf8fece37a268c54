package io.millrace.tls.certificate;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Decrypts a PEM block with Proc-Type and DEK-Info, the format of OpenSSL before 1.0 and of {@code openssl rsa -aes256
 * -traditional}. Its key derivation is one round of MD5 (EVP_BytesToKey).
 */
final class LegacyEncryption {

    private record Scheme(String algorithm, String transformation, int keyBytes) {}

    private static final Map<String, Scheme> SCHEMES = Map.of(
            "AES-128-CBC", new Scheme("AES", "AES/CBC/PKCS5Padding", 16),
            "AES-192-CBC", new Scheme("AES", "AES/CBC/PKCS5Padding", 24),
            "AES-256-CBC", new Scheme("AES", "AES/CBC/PKCS5Padding", 32),
            "DES-EDE3-CBC", new Scheme("DESede", "DESede/CBC/PKCS5Padding", 24),
            "DES-CBC", new Scheme("DES", "DES/CBC/PKCS5Padding", 8));

    private LegacyEncryption() {}

    static boolean isOn(PemBlock block) {
        return block.headers().getOrDefault("Proc-Type", "").endsWith("ENCRYPTED");
    }

    static byte[] decrypt(PemBlock block, char[] password) throws GeneralSecurityException {
        String info = block.headers().getOrDefault("DEK-Info", "");
        int comma = info.indexOf(',');
        Scheme scheme = comma < 0 ? null : SCHEMES.get(info.substring(0, comma));
        if (scheme == null) {
            throw new InvalidKeySpecException("is encrypted by \"" + info + "\"; expected one of "
                    + SCHEMES.keySet().stream().sorted().toList());
        }
        byte[] vector = hex(info.substring(comma + 1).strip());
        byte[] key = key(password, vector, scheme.keyBytes);
        return EncryptedKey.decrypt(
                scheme.transformation,
                new SecretKeySpec(key, scheme.algorithm),
                new IvParameterSpec(vector),
                block.bytes());
    }

    private static byte[] hex(String digits) throws InvalidKeySpecException {
        try {
            return HexFormat.of().parseHex(digits);
        } catch (IllegalArgumentException e) {
            throw new InvalidKeySpecException("has a DEK-Info that is not hexadecimal", e);
        }
    }

    /** Concatenated MD5 hashes, each of the previous one, the password, and the first eight bytes of the vector. */
    private static byte[] key(char[] password, byte[] vector, int length) throws GeneralSecurityException {
        MessageDigest md5 = MessageDigest.getInstance("MD5");
        byte[] secret = new String(password).getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[length];
        byte[] block = {};
        for (int at = 0; at < length; at += block.length) {
            md5.update(block);
            md5.update(secret);
            md5.update(vector, 0, Math.min(8, vector.length));
            block = md5.digest();
            System.arraycopy(block, 0, key, at, Math.min(block.length, length - at));
        }
        Arrays.fill(secret, (byte) 0);
        return key;
    }
}
