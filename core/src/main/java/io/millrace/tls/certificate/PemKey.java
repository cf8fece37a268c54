package io.millrace.tls.certificate;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.Map;
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
}
