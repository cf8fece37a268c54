package io.millrace.tls.certificate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Parses a private key in a PEM block: PKCS#8 (RFC 5958), PKCS#1 (RFC 8017, A.1.2) or SEC 1 (RFC 5915). */
final class PemKey {

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
}
