package io.millrace.connector.spdy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.BufferPool;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The writer of frames … */
class SpdyWriterTest {

    private static final int BLOCK_AT = SpdyFrame.HEAD + SpdyFrame.STREAM_ID;

    private final SpdyHeard heard = new SpdyHeard();

    private static final Settings SPDY_3 = Settings.DEFAULTS.with(SpdyOptions.VERSION, "3");

    private static SpdyWriter writer(Settings options) {
        return new SpdyWriter(new SpdyRules(options, "http"));
    }

    private static SpdyWriter writer() {
        return writer(Settings.DEFAULTS);
    }

    private static byte[] write(Consumer<Batch> writing) {
        Batch batch = new Batch(new BufferPool(1 << 20));
        writing.accept(batch);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ByteBuffer buffer : ((Payload.Bytes) batch.payload()).buffers()) {
            byte[] part = new byte[buffer.remaining()];
            buffer.get(part);
            bytes.writeBytes(part);
        }
        batch.release();
        return bytes.toByteArray();
    }

    private static byte[] head(SpdyWriter writer, Headers fields, boolean end) {
        ResponseHead head = new ResponseHead();
        for (int i = 0; i < fields.size(); i++) {
            head.headers().add(fields.name(i), fields.value(i));
        }
        return write(to -> writer.head(5, head, 12, end, to));
    }

    private static void checkFrame(byte[] frame, int type, int flags) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        assertEquals(0x8003_0000 | type, bytes.getInt());
        assertEquals(flags << 24 | frame.length - SpdyFrame.HEAD, bytes.getInt());
        assertEquals(5, bytes.getInt());
    }

    @Test
    void beginsWithSettings() {
        assertArrayEquals(
                new SpdyWire().numbers(SpdyFrame.SETTINGS, 2, 4, 100, 7, 65_535).toArray(),
                write(to -> writer().start(to)));
        Settings usual = SPDY_3.with(MuxOptions.INITIAL_WINDOW_SIZE, SpdyFrame.FIRST_WINDOW);
        assertArrayEquals(
                new SpdyWire().setting(SpdyFrame.MAX_CONCURRENT_STREAMS, 100).toArray(),
                write(to -> writer(usual).start(to)));
    }

    @Test
    void writesAHeadThatZlibUnderstands() {
        SpdyWriter writer = writer(SPDY_3.with(HttpOptions.SERVER, "own"));
        Headers fields = new Headers()
                .add("X-One", "1")
                .add("Set-Cookie", "a=b")
                .add("Connection", "close")
                .add("bad name", "x")
                .add("Content-Length", "99")
                .add("set-cookie", "")
                .add("X-Two", "a\r\nb\0c€")
                .add("SET-COOKIE", "c=d");
        for (boolean end : new boolean[] {false, true}) {
            byte[] frame = head(writer, fields, end);
            checkFrame(frame, SpdyFrame.SYN_REPLY, end ? 1 : 0);
            Headers read = heard.fields(frame, BLOCK_AT);
            assertEquals("200 OK", read.get(":status"));
            assertEquals("HTTP/1.1", read.get(":version"));
            assertEquals("12", read.get("content-length"));
            assertEquals("1", read.get("x-one"));
            assertEquals("a=b\0c=d", read.get("set-cookie"));
            assertEquals("a  b c?", read.get("x-two"));
            assertEquals("own", read.get("server"));
            assertTrue(read.contains("date"));
            assertNull(read.get("connection"));
            assertEquals(8, read.size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8000, 16_000, 16_383, 16_384, 65_535, 70_000, 140_000})
    void writesAHeadOfAnySize(int size) {
        SpdyWriter writer = writer();
        for (int i = 0; i < 3; i++) {
            byte[] frame = head(writer, new Headers().add("X-Large", "v".repeat(size + i)), false);
            checkFrame(frame, SpdyFrame.SYN_REPLY, 0);
            assertEquals("v".repeat(size + i), heard.fields(frame, BLOCK_AT).get("x-large"));
        }
    }

    @Test
    void endsWithTrailers() {
        byte[] frame = write(to -> writer().trailers(5, new Headers().add("Digest", "abc"), to));
        checkFrame(frame, SpdyFrame.HEADERS, SpdyFrame.FIN);
        assertEquals("abc", heard.fields(frame, BLOCK_AT).get("digest"));
    }

    @Test
    void hasNoInterimResponses() {
        assertEquals(0, write(to -> writer().interim(1, 100, new Headers(), to)).length);
    }

    @Test
    void opensTheConnectionsWindowOnlyWhereThereIsOne() {
        byte[] credit = new SpdyWire().numbers(SpdyFrame.WINDOW_UPDATE, 0, 9).toArray();
        assertArrayEquals(credit, write(to -> writer().credit(0, 9, to)));
        SpdyWriter old = writer(SPDY_3);
        assertEquals(0, write(to -> old.credit(0, 9, to)).length);
        assertEquals(16, write(to -> old.credit(1, 9, to)).length);
    }

    @Test
    void writesTheRest() {
        SpdyWriter writer = writer();
        assertArrayEquals(
                new SpdyWire()
                        .data(3, "", true)
                        .numbers(SpdyFrame.PING, -1)
                        .numbers(SpdyFrame.GOAWAY, 7, 1)
                        .toArray(),
                write(to -> {
                    writer.dataHead(3, 0, true, to);
                    writer.ping(0xffff_ffffL, true, to);
                    writer.goAway(7, Fault.ENHANCE_YOUR_CALM, to);
                }));
    }

    @ParameterizedTest
    @EnumSource
    void givesEachReasonACodeOfSpdy(Fault fault) {
        byte[] frame = write(to -> writer().reset(5, fault, to));
        checkFrame(frame, SpdyFrame.RST_STREAM, 0);
        int code = ByteBuffer.wrap(frame).getInt(BLOCK_AT);
        assertTrue(code >= 1 && code <= 11, "code " + code);
        assertTrue(SpdyStatus.ofGoAway(fault) >= 0 && SpdyStatus.ofGoAway(fault) <= 2);
        assertEquals(fault == Fault.NONE, SpdyStatus.goAway(SpdyStatus.ofGoAway(fault)) == Fault.NONE);
        assertEquals(code, SpdyStatus.ofReset(SpdyStatus.reset(code)));
    }
}
