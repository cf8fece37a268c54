package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connector.http2.hpack.FieldTexts;
import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.protocol.mux.PeerSettings;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The writer … */
class Http2WriterTest {

    private final Http2Writer writer =
            new Http2Writer(new Http2Rules(Settings.DEFAULTS.with(HttpOptions.SERVER, "millrace"), "http"));
    private final HpackDecoder decoder = new HpackDecoder(new FieldTexts());

    private static String hex(Consumer<Batch> writing) {
        return HexFormat.of().formatHex(Batches.write(writing));
    }

    /** One line for each frame: its type, flags and stream, and the fields of a header block. */
    private List<String> frames(Consumer<Batch> writing) throws Exception {
        ByteBuffer bytes = ByteBuffer.wrap(Batches.write(writing));
        List<String> lines = new ArrayList<>();
        ByteBuffer block = ByteBuffer.allocate(200_000);
        while (bytes.hasRemaining()) {
            int lengthAndType = bytes.getInt();
            byte[] payload = new byte[lengthAndType >>> 8];
            int flags = bytes.get();
            lines.add((lengthAndType & 0xff) + " " + flags + " " + bytes.getInt());
            bytes.get(payload);
            assertTrue(payload.length <= Frames.MAX_PAYLOAD);
            block.put(payload);
            if ((flags & Frames.END_HEADERS) != 0) {
                lines.addAll(decode(block.flip()));
                block.clear();
            }
        }
        return lines;
    }

    private List<String> decode(ByteBuffer block) throws Exception {
        List<String> lines = new ArrayList<>();
        byte[] bytes = new byte[block.remaining()];
        block.get(bytes);
        decoder.decode(bytes, 0, bytes.length, 1_000_000, new HpackDecoder.Fields() {
            @Override
            public boolean field(String name, String value, boolean checked) {
                lines.add(name.equals("date") ? name : name + ": " + value);
                return true;
            }

            @Override
            public void tooLarge() {
                lines.add("too large");
            }
        });
        return lines;
    }

    @Test
    void beginsWithItsSettings() {
        assertEquals(
                "000018 04 00 00000000 0003 00000064 0006 00002c80 0008 00000001 0009 00000001".replace(" ", ""),
                hex(writer::start));
        Settings windows = Settings.DEFAULTS.with(MuxOptions.INITIAL_WINDOW_SIZE, 1 << 20);
        Http2Writer other = new Http2Writer(new Http2Rules(windows, "http"));
        assertTrue(hex(other::start).contains("000400100000"));
    }

    @Test
    void writesAResponsesHead() throws Exception {
        ResponseHead head = new ResponseHead();
        head.headers()
                .add("Content-Type", "text/plain")
                .add("X-Own", " a\r\nb ")
                .add("Connection", "close")
                .add("Keep-Alive", "timeout=5")
                .add("Transfer-Encoding", "chunked")
                .add("Content-Length", "77")
                .add("no token", "x");
        assertEquals(
                List.of(
                        "1 4 5",
                        ":status: 200",
                        "content-length: 3",
                        "date",
                        "server: millrace",
                        "content-type: text/plain",
                        "x-own: a  b"),
                frames(to -> writer.head(5, head, 3, false, to)));
    }

    @Test
    void letsAnApplicationSayDateAndServer() throws Exception {
        ResponseHead head = new ResponseHead().status(404);
        head.headers().add("Server", "mine").add("DATE", "never");
        assertEquals(
                List.of("1 5 1", ":status: 404", "server: mine", "date"),
                frames(to -> writer.head(1, head, -1, true, to)));
    }

    @Test
    void continuesABlockThatNoFrameHolds() throws Exception {
        ResponseHead head = new ResponseHead();
        head.headers().add("x-large", "\u00ff".repeat(40_000));
        List<String> frames = frames(to -> writer.head(7, head, -1, true, to));
        assertEquals(List.of("1 1 7", "9 0 7", "9 4 7", ":status: 200"), frames.subList(0, 4));
        assertEquals("x-large: " + "\u00ff".repeat(40_000), frames.get(frames.size() - 1));
    }

    @Test
    void writesInterimResponsesAndTrailers() throws Exception {
        Headers links = new Headers().add("Link", "</a.css>");
        assertEquals(
                List.of("1 4 3", ":status: 103", "link: </a.css>"), frames(to -> writer.interim(3, 103, links, to)));
        Headers trailers = new Headers().add("grpc-status", "0").add("Connection", "close");
        assertEquals(List.of("1 5 3", "grpc-status: 0"), frames(to -> writer.trailers(3, trailers, to)));
    }

    /** RFC 7541, 4.2: the table was emptied, which the peer must learn. */
    @Test
    void obeysTheLeastOfRepeatedTableSizes() throws Exception {
        ByteBuffer settings = ByteBuffer.allocate(12);
        settings.putShort((short) 1).putInt(0).putShort((short) 1).putInt(4096).flip();
        ResponseHead head = new ResponseHead();
        head.headers().add("Content-Type", "text/plain");
        frames(to -> writer.head(1, head, -1, true, to));
        assertNotEquals(0, decoder.tableSize());
        writer.apply(SettingsFrame.read(settings));
        head.headers().set("Content-Type", "text/html");
        int before = decoder.tableSize();
        frames(to -> writer.head(3, head, -1, true, to));
        assertTrue(decoder.tableSize() < 2 * before, "the first entry is gone");
    }

    @Test
    void obeysThePeersSettings() throws Exception {
        ResponseHead head = new ResponseHead();
        head.headers().add("Content-Type", "text/plain");
        assertEquals(Frames.MAX_PAYLOAD, writer.maxDataLength());
        writer.apply(new PeerSettings(-1, 1 << 20, 0, -1, -1, -1));
        assertEquals(Frames.MAX_PAYLOAD, writer.maxDataLength());
        decoder.limit(0);
        for (int i = 0; i < 2; i++) {
            frames(to -> writer.head(1, head, -1, true, to));
            assertEquals(0, decoder.tableSize());
        }
    }

    @Test
    void writesTheOtherFrames() {
        assertEquals("000000040100000000", hex(writer::settingsAck));
        assertEquals("000005000100000009", hex(to -> writer.dataHead(9, 5, true, to)));
        assertEquals("00000403000000000500000008", hex(to -> writer.reset(5, Fault.CANCEL, to)));
        assertEquals("00000408000000000000010000", hex(to -> writer.credit(0, 65_536, to)));
        assertEquals("0000080601000000000000000000000011", hex(to -> writer.ping(17, true, to)));
        assertEquals("0000080700000000000000000b0000000b", hex(to -> writer.goAway(11, Fault.ENHANCE_YOUR_CALM, to)));
    }
}
