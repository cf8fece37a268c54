package io.millrace.cluster.infinispan;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts and authenticates frames with AES-256 in Galois/counter mode (NIST SP 800-38D). Each process has a key of its own, made of the
 * cluster's secret and a random salt, and numbers its frames, so that no initialization vector is used twice with a key. Thread-safe.
 *
 * <pre>
 * salt of the process (16 bytes)  number of the frame (8)  encrypted frame  authentication tag (16)
 * </pre>
 */
final class FrameCipher {

    private static final int SALT = 16;
    private static final int NUMBER = Long.BYTES;
    private static final int HEAD = SALT + NUMBER;
    private static final int IV = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BITS = 256;

    /** OWASP's number for PBKDF2 with SHA-256: about a fifth of a second, at each start. */
    private static final int ITERATIONS = 600_000;

    /** More processes than a cluster has. The keys are made anew after that. */
    private static final int MAX_KEYS = 1_000;

    private final SecretKeySpec secret;
    private final byte[] salt = new byte[SALT];
    private final SecretKeySpec key;
    private final AtomicLong sent = new AtomicLong();

    /** By salt, in hexadecimal digits: of processes that have shown that they know the secret. */
    private final Map<String, SecretKeySpec> others = new ConcurrentHashMap<>();

    FrameCipher(String secret, String clusterName) throws GeneralSecurityException {
        byte[] name = ("millrace cluster " + clusterName).getBytes(StandardCharsets.UTF_8);
        PBEKeySpec spec = new PBEKeySpec(secret.toCharArray(), name, ITERATIONS, KEY_BITS);
        try {
            byte[] made = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            this.secret = new SecretKeySpec(made, "HmacSHA256");
        } finally {
            spec.clearPassword();
        }
        new SecureRandom().nextBytes(salt);
        key = keyOf(salt);
    }

    private SecretKeySpec keyOf(byte[] processSalt) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(secret);
        return new SecretKeySpec(mac.doFinal(processSalt), "AES");
    }

    byte[] encrypted(byte[] frame, int offset, int length) throws GeneralSecurityException {
        byte[] head = Arrays.copyOf(salt, HEAD);
        long number = sent.getAndIncrement();
        for (int i = 0; i < NUMBER; i++) {
            head[SALT + i] = (byte) (number >>> 8 * (NUMBER - 1 - i));
        }
        Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, head);
        byte[] encrypted = Arrays.copyOf(head, HEAD + cipher.getOutputSize(length));
        cipher.doFinal(frame, offset, length, encrypted, HEAD);
        return encrypted;
    }

    /** @throws GeneralSecurityException if the sender does not know the secret, or the frame was changed */
    byte[] decrypted(byte[] frame, int offset, int length) throws GeneralSecurityException {
        if (length < HEAD + TAG_BITS / Byte.SIZE) {
            throw new AEADBadTagException("it is too short");
        }
        byte[] head = Arrays.copyOfRange(frame, offset, offset + HEAD);
        byte[] otherSalt = Arrays.copyOf(head, SALT);
        String name = HexFormat.of().formatHex(otherSalt);
        SecretKeySpec known = others.get(name);
        SecretKeySpec used = known == null ? keyOf(otherSalt) : known;
        byte[] decrypted = cipher(Cipher.DECRYPT_MODE, used, head).doFinal(frame, offset + HEAD, length - HEAD);
        if (known == null) {
            if (others.size() >= MAX_KEYS) {
                others.clear();
            }
            others.put(name, used);
        }
        return decrypted;
    }

    private static Cipher cipher(int mode, SecretKeySpec with, byte[] head) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] iv = new byte[IV];
        System.arraycopy(head, SALT, iv, IV - NUMBER, NUMBER);
        cipher.init(mode, with, new GCMParameterSpec(TAG_BITS, iv));
        return cipher;
    }
}
