package io.millrace.cluster.infinispan;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArray;
import org.jgroups.util.FastArray;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates each message as a whole, with AES-256 in Galois/counter mode (NIST SP 800-38D), by a key that is made of the
 * cluster's secret. It is the lowest protocol above the transport, so that also members, heartbeats and discovery are of those that know the
 * secret. JGroups' own encryption leaves the headers of messages open, and knows no mode that authenticates. A message that was recorded can
 * be sent again; those that carry sessions are numbered, so that a second one is dropped above. Thread-safe.
 *
 * <pre>
 * initialization vector (12 bytes, random)  encrypted message  authentication tag (16)
 * </pre>
 */
final class Encryption extends Protocol {

    private static final int IV = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BITS = 256;

    /** OWASP's number for PBKDF2 with SHA-256: about a fifth of a second, at each start. */
    private static final int ITERATIONS = 600_000;

    private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SecretKeySpec key;
    private final String engine;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong foreign = new AtomicLong();
    private final AtomicLong lastLine = new AtomicLong(System.nanoTime() - LOG_PAUSE_NANOS);

    /** @param engine for log messages */
    Encryption(String secret, String clusterName, String engine) throws GeneralSecurityException {
        byte[] salt = ("millrace cluster " + clusterName).getBytes(StandardCharsets.UTF_8);
        PBEKeySpec spec = new PBEKeySpec(secret.toCharArray(), salt, ITERATIONS, KEY_BITS);
        try {
            byte[] made = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            key = new SecretKeySpec(made, "AES");
        } finally {
            spec.clearPassword();
        }
        this.engine = engine;
    }

    @Override
    public @Nullable Object down(Message message) {
        if (message.getSrc() == null) {
            message.setSrc(local_addr);
        }
        try {
            Message encrypted = new BytesMessage(message.getDest(), encrypt(Util.messageToBuffer(message)))
                    .setSrc(message.getSrc())
                    .setFlag(message.getFlags(false), false)
                    .setFlag(message.getFlags(true), true);
            return down_prot.down(encrypted);
        } catch (Exception e) { // of JGroups: a message that cannot be serialized
            throw new IllegalStateException("a message cannot be encrypted", e);
        }
    }

    @Override
    public @Nullable Object up(Message message) {
        Message decrypted = decrypt(message);
        return decrypted == null ? null : up_prot.up(decrypted);
    }

    @Override
    public void up(MessageBatch batch) {
        FastArray<Message>.FastIterator messages = (FastArray<Message>.FastIterator) batch.iterator();
        while (messages.hasNext()) {
            Message decrypted = decrypt(messages.next());
            if (decrypted == null) {
                messages.remove();
            } else {
                messages.replace(decrypted);
            }
        }
        if (!batch.isEmpty()) {
            up_prot.up(batch);
        }
    }

    private byte[] encrypt(ByteArray message) throws GeneralSecurityException {
        byte[] iv = new byte[IV];
        random.nextBytes(iv);
        Cipher cipher = cipher(Cipher.ENCRYPT_MODE, iv);
        byte[] encrypted = Arrays.copyOf(iv, IV + cipher.getOutputSize(message.getLength()));
        cipher.doFinal(message.getArray(), message.getOffset(), message.getLength(), encrypted, IV);
        return encrypted;
    }

    /** Null if the sender does not know the secret. Nothing of a message is parsed before. */
    private @Nullable Message decrypt(Message message) {
        try {
            if (!message.hasArray() || message.getLength() < IV) {
                throw new GeneralSecurityException("it is too short");
            }
            byte[] array = message.getArray();
            int offset = message.getOffset();
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOfRange(array, offset, offset + IV));
            byte[] decrypted = cipher.doFinal(array, offset + IV, message.getLength() - IV);
            return Util.messageFromBuffer(decrypted, 0, decrypted.length);
        } catch (Exception e) { // JGroups declares it
            dropped(message);
            return null;
        }
    }

    private Cipher cipher(int mode, byte[] iv) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
        return cipher;
    }

    private void dropped(Message message) {
        foreign.incrementAndGet();
        long before = lastLine.get();
        long now = System.nanoTime();
        if (now - before >= LOG_PAUSE_NANOS && lastLine.compareAndSet(before, now)) {
            InfinispanLog.LOG.foreign(engine, foreign.getAndSet(0), String.valueOf(message.getSrc()));
        }
    }
}
