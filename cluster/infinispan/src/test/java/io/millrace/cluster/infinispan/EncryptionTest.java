package io.millrace.cluster.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.protocols.FailureDetection;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** What servers of a cluster send each other … */
final class EncryptionTest {

    private static final String SECRET = "a secret of some length";
    private static final short HEARTBEAT = 4711;

    /** By the secret: a key takes half a second. */
    private static final Map<String, Encryption> MADE = new HashMap<>();

    private final List<Message> received = new ArrayList<>();

    /** Keeps what comes from the protocol beside it. */
    private static final class End extends Protocol {

        private final List<Message> messages;

        End(List<Message> messages) {
            this.messages = messages;
        }

        @Override
        public Object down(Message message) {
            messages.add(message);
            return "sent";
        }

        @Override
        public Object up(Message message) {
            messages.add(message);
            return "received";
        }

        @Override
        public void up(MessageBatch batch) {
            batch.forEach(messages::add);
        }
    }

    private Encryption encryption(String secret, List<Message> sent) throws Exception {
        Encryption encryption = MADE.get(secret);
        if (encryption == null) {
            encryption = new Encryption(secret, "millrace", "a test");
            MADE.put(secret, encryption);
        }
        encryption.setDownProtocol(new End(sent));
        encryption.setUpProtocol(new End(received));
        encryption.setAddress(UUID.randomUUID());
        return encryption;
    }

    private Message sent(Message message) throws Exception {
        List<Message> sent = new ArrayList<>();
        encryption(SECRET, sent).down(message);
        return sent.get(0);
    }

    @Test
    void isReadByWhoKnowsTheSecret() throws Exception {
        UUID to = UUID.randomUUID();
        Message encrypted =
                sent(new BytesMessage(to, "session".getBytes(StandardCharsets.UTF_8)).setFlag(Message.Flag.OOB));
        assertFalse(new String(encrypted.getArray(), StandardCharsets.ISO_8859_1).contains("session"));
        assertEquals(to, encrypted.getDest());
        assertTrue(encrypted.isFlagSet(Message.Flag.OOB));
        encryption(SECRET, List.of()).up(encrypted);
        assertEquals("session", new String(received.get(0).getArray(), StandardCharsets.UTF_8));
        assertEquals(encrypted.getSrc(), received.get(0).getSrc());
    }

    @Test
    void isEncryptedWithItsHeaders() throws Exception {
        Message heartbeat = new EmptyMessage().putHeader(HEARTBEAT, new FailureDetection.HeartbeatHeader());
        Message encrypted = sent(heartbeat);
        assertTrue(encrypted.getHeaders().isEmpty());
        encryption(SECRET, List.of()).up(encrypted);
        assertTrue(received.get(0).getHeader(HEARTBEAT) instanceof FailureDetection.HeartbeatHeader);
    }

    @Test
    void isDroppedIfItIsNotOfWhoKnowsTheSecret() throws Exception {
        Message encrypted = sent(new BytesMessage(null, new byte[100]));
        encryption("another secret of that length", List.of()).up(encrypted);
        Encryption encryption = encryption(SECRET, List.of());
        encryption.up(new EmptyMessage().putHeader(HEARTBEAT, new FailureDetection.HeartbeatHeader()));
        encryption.up(new BytesMessage(null, new byte[100]));
        byte[] changed = encrypted.getArray().clone();
        changed[changed.length / 2] ^= 1;
        encryption.up(new BytesMessage(null, changed));
        assertEquals(List.of(), received);
        MessageBatch batch = new MessageBatch(2);
        batch.add(new BytesMessage(null, changed));
        batch.add(encrypted);
        encryption.up(batch);
        assertEquals(1, received.size());
    }
}
