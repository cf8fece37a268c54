package io.millrace.cluster.infinispan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;

/** What servers of a cluster send each other … */
final class EncryptedTcpTest {

    private static final String SECRET = "a secret of some length";
    private static final String OTHER = "another secret of that length";
    private static final byte[] FRAME = "a session".getBytes(StandardCharsets.UTF_8);
    private static final int OVERHEAD = 40;

    private static FrameCipher cipher(String secret) throws GeneralSecurityException {
        return new FrameCipher(secret, "millrace");
    }

    private static byte[] encrypted(FrameCipher cipher) throws GeneralSecurityException {
        return cipher.encrypted(FRAME, 0, FRAME.length);
    }

    private static byte[] decrypted(FrameCipher cipher, byte[] frame) throws GeneralSecurityException {
        return cipher.decrypted(frame, 0, frame.length);
    }

    @Test
    void isReadByWhoKnowsTheSecret() throws Exception {
        FrameCipher one = cipher(SECRET);
        FrameCipher other = cipher(SECRET);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            byte[] encrypted = encrypted(one);
            assertFalse(new String(encrypted, StandardCharsets.ISO_8859_1).contains("session"));
            assertTrue(seen.add(new String(encrypted, StandardCharsets.ISO_8859_1)), "no two are the same");
            assertArrayEquals(FRAME, decrypted(other, encrypted));
            assertArrayEquals(FRAME, decrypted(one, encrypted(other)));
        }
    }

    @Test
    void isDroppedIfItIsNotOfWhoKnowsTheSecret() throws Exception {
        FrameCipher cipher = cipher(SECRET);
        byte[] encrypted = encrypted(cipher);
        assertThrows(GeneralSecurityException.class, () -> decrypted(cipher(OTHER), encrypted));
        assertThrows(GeneralSecurityException.class, () -> decrypted(cipher, new byte[0]));
        assertThrows(GeneralSecurityException.class, () -> decrypted(cipher, FRAME));
        for (int i = 0; i < encrypted.length; i++) {
            byte[] changed = encrypted.clone();
            changed[i] ^= 1;
            assertThrows(GeneralSecurityException.class, () -> decrypted(cipher, changed));
        }
        assertArrayEquals(FRAME, decrypted(cipher, encrypted));
    }

    /** JGroups' own transport would read a message, of a type that the sender chooses. */
    @Test
    void isNotParsedBeforeItIsDecrypted() throws Exception {
        IpAddress from = new IpAddress(InetAddress.getLoopbackAddress(), 1);
        List<byte[]> parsed = new ArrayList<>();
        EncryptedTcp transport = new EncryptedTcp(cipher(SECRET), FRAME.length + OVERHEAD, "a test") {
            @Override
            void parse(Address sender, byte[] frame) {
                parsed.add(frame);
            }
        };
        transport.receive(from, FRAME, 0, FRAME.length);
        transport.receive(from, stream(FRAME), FRAME.length);
        assertEquals(0, parsed.size());
        byte[] encrypted = encrypted(cipher(SECRET));
        transport.receive(from, encrypted, 0, encrypted.length);
        transport.receive(from, stream(encrypted), encrypted.length);
        assertEquals(2, parsed.size());
        assertArrayEquals(FRAME, parsed.get(1));
        assertThrows(IOException.class, () -> transport.receive(from, stream(encrypted), encrypted.length + 1));
        assertThrows(IOException.class, () -> transport.receive(from, stream(encrypted), -1));
    }

    private static DataInput stream(byte[] frame) {
        return new DataInputStream(new ByteArrayInputStream(frame));
    }
}
