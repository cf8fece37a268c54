package io.millrace.compression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.exchange.BodySource;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.protocol.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A compressed request's body … */
final class InflatingSourceTest {

    private static final String TEXT = "0123456789abcdef".repeat(5_000);

    private final BufferPool pool = new BufferPool(1 << 20);

    @AfterEach
    void allIsGivenBack() {
        assertEquals(0, pool.outstanding());
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return out.toByteArray();
    }

    private static byte[] zlib(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zlib = new DeflaterOutputStream(out)) {
            zlib.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return out.toByteArray();
    }

    private String read(byte[] compressed, int step, boolean gzip, long most) throws IOException {
        InflatingSource source = new InflatingSource(new Drip(compressed, step), pool, gzip, most);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            while (true) {
                Chunk chunk = source.read();
                if (chunk == null) {
                    continue;
                }
                if (chunk.isEnd()) {
                    return text.toString(StandardCharsets.US_ASCII);
                }
                byte[] bytes = new byte[chunk.bytes().remaining()];
                chunk.bytes().get(bytes);
                text.write(bytes);
                chunk.release();
            }
        } finally {
            source.close();
            source.close();
        }
    }

    /** RFC 1952, 2.2. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100_000})
    void mayHaveSeveralMembers(int step) throws IOException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (String text : new String[] {"a", "", TEXT, "b"}) {
            members.write(gzip(text));
        }
        assertEquals("a" + TEXT + "b", read(members.toByteArray(), step, true, Long.MAX_VALUE));
    }

    @Test
    void isRefusedIfAMemberEndsTooEarly() throws IOException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        members.write(gzip("a"));
        members.write(gzip("b"), 0, 12);
        assertThrows(ProtocolException.class, () -> read(members.toByteArray(), 5, true, Long.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100_000})
    void isReadInWhateverPiecesItComes(int step) throws IOException {
        assertEquals(TEXT, read(gzip(TEXT), step, true, TEXT.length()));
        assertEquals(TEXT, read(zlib(TEXT), step, false, TEXT.length()));
        assertEquals("", read(gzip(""), step, true, 0));
    }

    @Test
    void mayHaveAHeadWithEverythingInIt() throws IOException {
        byte[] plain = gzip("text");
        ByteArrayOutputStream full = new ByteArrayOutputStream();
        full.write(plain, 0, 3);
        full.write(2 | 4 | 8 | 16);
        full.write(plain, 4, 6);
        full.write(new byte[] {2, 0, 'x', 'y', 'n', 0, 'c', 0, 1, 2});
        full.write(plain, 10, plain.length - 10);
        assertEquals("text", read(full.toByteArray(), 1, true, 100));
    }

    @Test
    void isRefusedWhenItGrowsTooLarge() throws IOException {
        byte[] bomb = gzip("\0".repeat(5_000_000));
        ProtocolException refusal = assertThrows(ProtocolException.class, () -> read(bomb, 1000, true, 100_000));
        assertEquals(413, refusal.status());
    }

    /** A limit larger than an int is exact. */
    @Test
    void mayHaveMoreThanTwoGibibytesBeforeItIsRefused() throws IOException {
        byte[] member = gzip("\0".repeat(1 << 26));
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (int i = 0; i < 32; i++) {
            members.write(member);
        }
        members.write(gzip("x"));
        long limit = 1L << 31;
        InflatingSource source = new InflatingSource(new Drip(members.toByteArray(), 1 << 14), pool, true, limit);
        long[] read = {0};
        ProtocolException refusal = assertThrows(ProtocolException.class, () -> {
            while (read[0] <= limit) {
                Chunk chunk = source.read();
                if (chunk != null) {
                    read[0] += chunk.bytes().remaining();
                    chunk.release();
                }
            }
        });
        source.close();
        assertEquals(413, refusal.status());
        assertEquals(limit, read[0]);
    }

    @Test
    void isRefusedWhenItIsBroken() throws IOException {
        byte[] good = gzip(TEXT);
        byte[] wrongSum = good.clone();
        wrongSum[good.length - 6] ^= 1;
        byte[] wrongData = good.clone();
        Arrays.fill(wrongData, 20, 60, (byte) 0xff);
        byte[] more = Arrays.copyOf(good, good.length + 1);
        for (byte[] broken : new byte[][] {
            wrongSum,
            wrongData,
            more,
            Arrays.copyOf(good, good.length - 1),
            "plain text".getBytes(StandardCharsets.US_ASCII),
            {},
            {0x1f, (byte) 0x8b}
        }) {
            ProtocolException refusal = assertThrows(ProtocolException.class, () -> read(broken, 3, true, 1 << 20));
            assertEquals(400, refusal.status());
        }
    }

    /** Delivers this number of bytes at a time, after an empty chunk each. */
    private static final class Drip implements BodySource {

        private final byte[] bytes;
        private final int step;
        private int at;
        private boolean nothing;

        Drip(byte[] bytes, int step) {
            this.bytes = bytes;
            this.step = step;
        }

        @Override
        public Chunk read() {
            nothing = !nothing;
            if (nothing) {
                return Chunk.wrap(ByteBuffer.allocate(0));
            }
            if (at == bytes.length) {
                return Chunk.END;
            }
            int end = Math.min(bytes.length, at + step);
            ByteBuffer piece = ByteBuffer.wrap(bytes, at, end - at).slice();
            at = end;
            return Chunk.wrap(piece);
        }

        @Override
        public void awaitReadable(Runnable ready) {
            ready.run();
        }
    }
}
