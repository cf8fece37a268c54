package io.millrace.cluster.infinispan;

import java.io.DataInput;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;

/**
 * A transport that encrypts and authenticates what it sends as a whole, so that nothing of a stranger is parsed: JGroups reads messages
 * whose type the sender chooses, and with one of them any serialized object. Its own encryption works on messages that have been read,
 * and so does its authentication. Only the address that a connection begins with is read before. A frame that was recorded can be sent
 * again; messages that carry sessions are numbered, so that a second one is dropped above.
 */
class EncryptedTcp extends TCP {

    private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final FrameCipher cipher;
    private final int maxFrame;
    private final String engine;
    private final AtomicLong foreign = new AtomicLong();
    private final AtomicLong lastLine = new AtomicLong(System.nanoTime() - LOG_PAUSE_NANOS);

    /**
     * @param maxFrame bytes of the largest frame that is read
     * @param engine for log messages
     */
    EncryptedTcp(FrameCipher cipher, int maxFrame, String engine) {
        this.cipher = cipher;
        this.maxFrame = maxFrame;
        this.engine = engine;
        setId(ClassConfigurator.getProtocolId(TCP.class)); // which a class of its own does not have
    }

    @Override
    public void send(Address to, byte[] frame, int offset, int length) throws Exception {
        byte[] encrypted = cipher.encrypted(frame, offset, length);
        super.send(to, encrypted, 0, encrypted.length);
    }

    @Override
    public void receive(Address from, byte[] frame, int offset, int length) {
        byte[] decrypted;
        try {
            decrypted = cipher.decrypted(frame, offset, length);
        } catch (GeneralSecurityException e) {
            dropped(from);
            return;
        }
        parse(from, decrypted);
    }

    /** Gives a frame of another member to JGroups. */
    void parse(Address from, byte[] frame) {
        super.receive(from, frame, 0, frame.length);
    }

    @Override
    public void receive(Address from, DataInput in, int length) throws Exception {
        if (length < 0 || length > maxFrame) {
            dropped(from);
            throw new IOException("a frame of " + length + " bytes");
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        receive(from, frame, 0, length);
    }

    private void dropped(Address from) {
        foreign.incrementAndGet();
        long before = lastLine.get();
        long now = System.nanoTime();
        if (now - before >= LOG_PAUSE_NANOS && lastLine.compareAndSet(before, now)) {
            InfinispanLog.LOG.foreign(engine, foreign.getAndSet(0), String.valueOf(from));
        }
    }
}
