package io.millrace.websocket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Of frames in any pieces it … */
class WebSocketFrameReaderTest {

    @Test
    void readsTheSameHoweverTheyAreSplit() {
        Random random = new Random(6455);
        for (int round = 0; round < 300; round++) {
            StringBuilder expected = new StringBuilder();
            byte[] bytes = messages(random, expected);
            assertEquals(expected.toString(), Transcript.of(bytes, bytes.length, false));
            assertEquals(expected.toString(), Transcript.of(bytes, 1, false));
            assertEquals(expected.toString(), Transcript.of(bytes, 1 + random.nextInt(40), false));
            assertEquals(
                    expected.toString().replaceAll("p[io]ng[0-9]+", ""),
                    Transcript.of(bytes, 1 + random.nextInt(40), true));
        }
    }

    @Test
    void unmasksAtAnyPosition() {
        Random random = new Random(1);
        for (int length = 0; length < 100; length++) {
            byte[] payload = new byte[length];
            random.nextBytes(payload);
            int mask = random.nextInt() | 1;
            byte[] masked = payload.clone();
            for (int i = 0; i < length; i++) {
                masked[i] ^= (byte) (mask >>> 24 - 8 * (i % 4));
            }
            int cut = random.nextInt(length + 1);
            byte[] out = new byte[length];
            Masking.move(ByteBuffer.wrap(masked, 0, cut), out, 0, cut, mask, 0);
            Masking.move(ByteBuffer.wrap(masked, cut, length - cut), out, cut, length - cut, mask, cut);
            assertArrayEquals(payload, out);
        }
    }

    @Test
    void inflatesLittleAtATimeOfAMessageInParts() throws WebSocketException {
        ByteBuffer wire = MessageDeflater.compressAlone(ByteBuffer.allocate(8_000_000));
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        write(frame, FrameEncoder.flags(Opcode.BINARY, true, true), wire);
        ByteBuffer in = ByteBuffer.wrap(frame.toByteArray());
        Counter counter = new Counter();
        MessageAssembly assembly = new MessageAssembly(counter, new MessageInflater(false));
        WebSocketFrameReader reader = new WebSocketFrameReader(WebSocketRole.SERVER, true);

        boolean complete = false;
        while (!complete) {
            long before = counter.bytes;
            complete = reader.read(in, assembly);
            assertTrue(counter.bytes - before <= 600_000, counter.bytes - before + " octets at a time");
        }
        assertEquals(8_000_000, counter.bytes);
        assembly.close();
    }

    /** Counts the octets of a message in parts. */
    private static final class Counter implements MessageSink {

        private long bytes;

        @Override
        public boolean takesParts(boolean ofText) {
            return true;
        }

        @Override
        public void text(String message, boolean whole, boolean last) {
            throw new AssertionError("a text");
        }

        @Override
        public void binary(ByteBuffer message, boolean whole, boolean last) {
            bytes += message.remaining();
        }

        @Override
        public void pinged(ByteBuffer payload) {
            throw new AssertionError("a ping");
        }

        @Override
        public void ponged(ByteBuffer payload) {
            throw new AssertionError("a pong");
        }

        @Override
        public void closeReceived(CloseStatus status) {
            throw new AssertionError("a close frame");
        }

        @Override
        public WebSocketOptions options() {
            return WebSocketOptions.DEFAULT;
        }
    }

    /** Fragmented messages with pings between fragments, some compressed, and the expected transcript. */
    private static byte[] messages(Random random, StringBuilder expected) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int count = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            String text = "aä€😀".repeat(random.nextInt(random.nextInt(10) == 0 ? 400 : 20));
            byte[] payload = text.getBytes(StandardCharsets.UTF_8);
            boolean compressed = random.nextBoolean();
            ByteBuffer wire =
                    compressed ? MessageDeflater.compressAlone(ByteBuffer.wrap(payload)) : ByteBuffer.wrap(payload);
            Opcode opcode = Opcode.TEXT;
            while (random.nextInt(3) == 0) {
                ByteBuffer part = wire.slice(wire.position(), random.nextInt(wire.remaining() + 1));
                wire.position(wire.position() + part.remaining());
                write(out, FrameEncoder.flags(opcode, false, compressed && opcode == Opcode.TEXT), part);
                opcode = Opcode.CONTINUATION;
                int ping = random.nextInt(126);
                write(out, FrameEncoder.flags(Opcode.PING, true, false), ByteBuffer.allocate(ping));
                expected.append("ping").append(ping);
            }
            write(out, FrameEncoder.flags(opcode, true, compressed && opcode == Opcode.TEXT), wire);
            expected.append(text).append('|');
        }
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, int flags, ByteBuffer payload) {
        for (ByteBuffer buffer : FrameEncoder.encode(WebSocketRole.CLIENT, flags, payload, true)) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            out.writeBytes(bytes);
        }
    }
}
