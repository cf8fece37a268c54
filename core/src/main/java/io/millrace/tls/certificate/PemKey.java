package io.millrace.tls.certificate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Parses a private key in a PEM block: PKCS#8 (RFC 5958), PKCS#1 (RFC 8017, A.1.2) or SEC 1 (RFC 5915). */
final class PemKey {

    /** A cipher, and the length of its keys. */
    private record Scheme(String algorithm, String transformation, int keyBytes) {}

    private static final byte[] VERSION_0 = {DerReader.INTEGER, 1, 0};

    /** rsaEncryption with its NULL parameters. */
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

    private static final byte[] EC_ID = HexFormat.of().parseHex("06072a8648ce3d0201");

    private static final Map<String, String> ALGORITHMS = Map.of(
            "1.2.840.113549.1.1.1", "RSA",
            "1.2.840.113549.1.1.10", "RSASSA-PSS",
            "1.2.840.10045.2.1", "EC",
            "1.2.840.10040.4.1", "DSA",
            "1.3.101.112", "Ed25519",
            "1.3.101.113", "Ed448");

    private PemKey() {}

    /** The key. {@code curve} is required for a SEC 1 key that does not contain the parameters of its curve. */
    static PrivateKey read(PemBlock block, byte @Nullable [] curve, char[] password) throws GeneralSecurityException {
        boolean legacy = LegacyEncryption.isOn(block);
        if ((legacy || block.label().startsWith("ENCRYPTED")) && password.length == 0) {
            throw new WrongPasswordException("is encrypted, and no password for it is configured");
        }
        byte[] plain = legacy ? LegacyEncryption.decrypt(block, password) : block.bytes();
        try {
            return switch (block.label()) {
                case "PRIVATE KEY" -> pkcs8(plain);
                case "ENCRYPTED PRIVATE KEY" -> pkcs8(EncryptedKey.decrypt(plain, password));
                case "RSA PRIVATE KEY" -> pkcs8(wrap(RSA, plain));
                case "EC PRIVATE KEY" -> pkcs8(wrap(ecAlgorithm(plain, curve), plain));
                default -> throw new InvalidKeySpecException("is a " + block.label() + ", which is not supported");
            };
        } catch (InvalidKeySpecException e) {
            // about one wrong password in 256 yields valid padding, but no valid key
            if (legacy) {
                throw new WrongPasswordException(e);
            }
            throw e;
        }
    }

    private static PrivateKey pkcs8(byte[] encoded) throws GeneralSecurityException {
        DerReader key = new DerReader(encoded).enter(DerReader.SEQUENCE);
        key.number();
        String id = key.enter(DerReader.SEQUENCE).objectId();
        String algorithm = ALGORITHMS.get(id);
        if (algorithm == null) {
            throw new NoSuchAlgorithmException("has a key of the type " + id + "; expected RSA, EC, Ed25519 or Ed448");
        }
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }

    private static byte[] wrap(byte[] algorithm, byte[] key) {
        return DerWriter.value(DerReader.SEQUENCE, VERSION_0, algorithm, DerWriter.value(DerReader.OCTET_STRING, key));
    }

    /** The algorithm of a SEC 1 key: version, key, and optionally the curve (RFC 5915, 3). */
    private static byte[] ecAlgorithm(byte[] key, byte @Nullable [] curve) throws InvalidKeySpecException {
        DerReader inside = new DerReader(key).enter(DerReader.SEQUENCE);
        inside.number();
        inside.read(DerReader.OCTET_STRING);
        if (inside.isNext(DerReader.CONTEXT_0)) {
            return DerWriter.value(
                    DerReader.SEQUENCE, EC_ID, inside.enter(DerReader.CONTEXT_0).readWhole());
        }
        if (curve == null) {
            throw new InvalidKeySpecException("does not specify its curve");
        }
        return DerWriter.value(DerReader.SEQUENCE, EC_ID, curve);
    }

    /** Encodes DER (X.690), limited to what wrapping a key in PKCS#8 needs. */
    private static final class DerWriter {

        private DerWriter() {}

        /** A value with these contents, concatenated. */
        static byte[] value(int tag, byte[]... contents) {
            int length = 0;
            for (byte[] content : contents) {
                length += content.length;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
            out.write(tag);
            writeLength(out, length);
            for (byte[] content : contents) {
                out.writeBytes(content);
            }
            return out.toByteArray();
        }

        private static void writeLength(ByteArrayOutputStream out, int length) {
            if (length < 0x80) {
                out.write(length);
                return;
            }
            int bytes = (32 - Integer.numberOfLeadingZeros(length) + 7) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(length >>> 8 * i);
            }
        }
    }

    /**
     * Decrypts a PEM block with Proc-Type and DEK-Info, the format of OpenSSL before 1.0 and of {@code openssl rsa -aes256
     * -traditional}. Its key derivation is one round of MD5 (EVP_BytesToKey).
     */
    private static final class LegacyEncryption {

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

    /**
     * Decrypts keys in PKCS#8: PBES2 (RFC 8018, 6.2) with PBKDF2 and AES or 3DES, as written by OpenSSL, of which the JDK supports
     * only a part. The older PBES1 is left to the JDK.
     */
    private static final class EncryptedKey {

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
        private static byte[] derive(DerReader derivation, char[] password, int keyBytes)
                throws GeneralSecurityException {
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
                SecretKey key =
                        SecretKeyFactory.getInstance(info.getAlgName()).generateSecret(new PBEKeySpec(password));
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

    /** A parser of DER (X.690), limited to what private keys need. */
    private static final class DerReader {

        static final int INTEGER = 0x02;
        static final int OCTET_STRING = 0x04;
        static final int OBJECT_ID = 0x06;
        static final int SEQUENCE = 0x30;
        static final int CONTEXT_0 = 0xa0;

        private final byte[] bytes;
        private int at;
        private final int end;

        DerReader(byte[] bytes) {
            this(bytes, 0, bytes.length);
        }

        private DerReader(byte[] bytes, int at, int end) {
            this.bytes = bytes;
            this.at = at;
            this.end = end;
        }

        boolean hasMore() {
            return at < end;
        }

        /** Whether the next value is of this type. */
        boolean isNext(int tag) {
            return at < end && (bytes[at] & 0xff) == tag;
        }

        /** A reader of the content of the next value, which must be of this type. */
        DerReader enter(int tag) throws InvalidKeySpecException {
            if (!isNext(tag)) {
                throw new InvalidKeySpecException("does not match its label: expected an ASN.1 value of type "
                        + Integer.toHexString(tag) + " at byte " + at);
            }
            at++;
            int length = length();
            if (length > end - at) {
                throw new InvalidKeySpecException("is truncated at byte " + end);
            }
            DerReader inside = new DerReader(bytes, at, at + length);
            at += length;
            return inside;
        }

        /** The content of the next value, which must be of this type. */
        byte[] read(int tag) throws InvalidKeySpecException {
            return enter(tag).rest();
        }

        /** The next value with its tag and length. */
        byte[] readWhole() throws InvalidKeySpecException {
            int from = at;
            if (!hasMore()) {
                throw new InvalidKeySpecException("is truncated at byte " + end);
            }
            enter(bytes[at] & 0xff);
            return Arrays.copyOfRange(bytes, from, at);
        }

        /** An integer of at most four bytes. */
        int number() throws InvalidKeySpecException {
            byte[] digits = read(INTEGER);
            if (digits.length > 4) {
                throw new InvalidKeySpecException("has a number of " + digits.length + " bytes; expected at most 4");
            }
            int value = 0;
            for (byte digit : digits) {
                value = value << 8 | (digit & 0xff);
            }
            return value;
        }

        /** In the notation {@code 1.2.840}. */
        String objectId() throws InvalidKeySpecException {
            byte[] id = read(OBJECT_ID);
            StringBuilder text = new StringBuilder();
            long part = 0;
            for (byte octet : id) {
                part = part << 7 | (octet & 0x7f);
                if (octet >= 0) {
                    if (text.length() == 0) {
                        long first = Math.min(part / 40, 2);
                        text.append(first).append('.').append(part - first * 40);
                    } else {
                        text.append('.').append(part);
                    }
                    part = 0;
                }
            }
            return text.toString();
        }

        private byte[] rest() {
            return Arrays.copyOfRange(bytes, at, end);
        }

        /** A length of one byte, or the number of its bytes, followed by them (X.690, 8.1.3). */
        private int length() throws InvalidKeySpecException {
            int first = next();
            if (first < 0x80) {
                return first;
            }
            int value = 0;
            for (int left = first & 0x7f; left > 0; left--) {
                value = value << 8 | next();
                if (value < 0 || value > bytes.length) {
                    throw new InvalidKeySpecException("is truncated at byte " + end);
                }
            }
            return value;
        }

        private int next() throws InvalidKeySpecException {
            if (at >= end) {
                throw new InvalidKeySpecException("is truncated at byte " + end);
            }
            return bytes[at++] & 0xff;
        }
    }
}
