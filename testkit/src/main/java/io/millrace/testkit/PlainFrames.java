package io.millrace.testkit;

import io.millrace.http.EncodedSlash;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.http.ResponseHead;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameReader;
import io.millrace.protocol.mux.FrameSink;
import io.millrace.protocol.mux.FrameSink.HeadersKind;
import io.millrace.protocol.mux.FrameWriter;
import io.millrace.protocol.mux.PeerSettings;
import io.millrace.protocol.mux.Priority;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A minimal multiplexed protocol, for testing what such protocols share. A frame is a letter for its kind, one octet of flags
 * (1: ends the sender's side), the stream, the payload's length, and the payload.
 */
final class PlainFrames {

    /** The octets before a payload. */
    static final int HEAD = 10;

    /** The maximum payload, as for HTTP/2 by default. */
    static final int MAX_DATA = 16 * 1024;

    private PlainFrames() {}

    /** A frame as the peer sends it. */
    static byte[] frame(char kind, boolean end, int id, byte... payload) {
        return ByteBuffer.allocate(HEAD + payload.length)
                .put((byte) kind)
                .put((byte) (end ? 1 : 0))
                .putInt(id)
                .putInt(payload.length)
                .put(payload)
                .array();
    }

    /** A payload that is a number. */
    static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    /**
     * Describes output, with a line for each frame: kind, stream, payload, {@code end}. An incomplete frame at the end is
     * omitted.
     */
    static List<String> describe(byte[] sent) {
        List<String> frames = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(sent);
        while (bytes.remaining() >= HEAD) {
            char kind = (char) bytes.get();
            boolean end = bytes.get() == 1;
            int id = bytes.getInt();
            int length = bytes.getInt();
            if (bytes.remaining() < length) {
                break;
            }
            byte[] payload = new byte[length];
            bytes.get(payload);
            String said = kind == 'D'
                    ? Integer.toString(length)
                    : kind == 'W' || kind == 'P'
                            ? Integer.toString(ByteBuffer.wrap(payload).getInt())
                            : new String(payload, StandardCharsets.ISO_8859_1);
            frames.add(kind + " " + id + " " + said + (end ? " end" : ""));
        }
        return frames;
    }

    /** Reads frames. Incomplete frames are buffered, except DATA. */
    static final class Reader implements FrameReader {

        private byte[] kept = {};
        private int dataLeft;
        private int dataId;
        private boolean dataEnds;
        boolean closed;

        @Override
        public void read(ByteBuffer input, FrameSink sink) throws ConnectionFault {
            while (input.hasRemaining() && !sink.isTurnOver()) {
                if (dataLeft > 0) {
                    data(input, sink);
                } else {
                    one(input, sink);
                }
            }
        }

        private void data(ByteBuffer input, FrameSink sink) throws ConnectionFault {
            int part = Math.min(dataLeft, input.remaining());
            dataLeft -= part;
            sink.data(dataId, input, part, part, dataLeft == 0 && dataEnds);
        }

        private void one(ByteBuffer input, FrameSink sink) throws ConnectionFault {
            kept = Arrays.copyOf(kept, kept.length + 1);
            kept[kept.length - 1] = input.get();
            ByteBuffer head = ByteBuffer.wrap(kept);
            if (head.remaining() < HEAD) {
                return;
            }
            char kind = (char) head.get();
            boolean end = head.get() == 1;
            int id = head.getInt();
            int length = head.getInt();
            if (kind == 'D') {
                kept = new byte[0];
                dataId = id;
                dataLeft = length;
                dataEnds = end;
                if (length == 0) {
                    sink.data(id, input, 0, 0, end);
                }
            } else if (head.remaining() == length) {
                kept = new byte[0];
                report(kind, end, id, head, sink);
            }
        }

        private static void report(char kind, boolean end, int id, ByteBuffer payload, FrameSink sink)
                throws ConnectionFault {
            switch (kind) {
                case 'H' -> headers(end, id, text(payload), sink);
                case 'R' -> sink.reset(id, Fault.CANCEL);
                case 'W' -> sink.credit(id, payload.getInt());
                case 'S' ->
                    sink.settings(new PeerSettings(
                            payload.getInt(),
                            PeerSettings.UNSAID,
                            PeerSettings.UNSAID,
                            PeerSettings.UNSAID,
                            PeerSettings.UNSAID,
                            PeerSettings.UNSAID));
                case 'A' -> sink.settingsAcknowledged();
                case 'P' -> sink.ping(payload.getInt(), false);
                case 'Q' -> sink.ping(payload.getInt(), true);
                case 'U' -> sink.priority(id, Priority.of(payload.get(), payload.get() == 1));
                case 'G' -> sink.goAway(id, Fault.NONE);
                case 'F' -> sink.fault(id, Fault.PROTOCOL, "a bad frame");
                case 'B' -> sink.refused(id, 400, "something bad", null, end, () -> {});
                default -> sink.glitch();
            }
        }

        /** {@code METHOD path}, or {@code TUNNEL path} for a tunnel; further words are {@code u=1} and {@code length=5}. */
        private static void headers(boolean end, int id, String text, FrameSink sink) throws ConnectionFault {
            HeadersKind kind = sink.headers(id, end);
            if (kind == HeadersKind.TRAILERS) {
                sink.trailers(id, new Headers().add("trailer", text));
            } else if (kind == HeadersKind.REQUEST) {
                String[] words = text.split(" ", -1);
                Priority priority = null;
                long length = end ? 0 : -1;
                Headers fields = new Headers();
                for (int i = 2; i < words.length; i++) {
                    if (words[i].startsWith("length=")) {
                        length = Long.parseLong(words[i].substring("length=".length()));
                    } else if (words[i].equals("expect")) {
                        fields.add("Expect", "100-continue");
                    } else {
                        priority = Priority.parse(words[i], Priority.of(3, false));
                    }
                }
                boolean tunnel = words[0].equals("TUNNEL");
                RequestHead head = head(tunnel ? "GET" : words[0], words[1], fields, tunnel ? 0 : length);
                if (tunnel) {
                    sink.connect(id, head, priority);
                } else {
                    sink.request(id, head, priority, end);
                }
            }
        }

        private static RequestHead head(String method, String target, Headers fields, long length) {
            int query = target.indexOf('?');
            String path = query < 0 ? target : target.substring(0, query);
            RequestPath parsed = RequestPath.parse(path, EncodedSlash.REJECT, StandardCharsets.UTF_8);
            if (parsed == null) {
                throw new AssertionError(target);
            }
            return new RequestHead(
                    method,
                    target,
                    parsed,
                    query < 0 ? null : target.substring(query + 1),
                    HttpVersion.HTTP_2,
                    "http",
                    "localhost",
                    fields,
                    length);
        }

        private static String text(ByteBuffer payload) {
            return StandardCharsets.ISO_8859_1.decode(payload).toString();
        }

        @Override
        public boolean isWithinFrame() {
            return kept.length > 0;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Writes frames. */
    static class Writer implements FrameWriter {

        private static void put(char kind, boolean end, int id, byte[] payload, Batch to) {
            byte[] frame = frame(kind, end, id, payload);
            to.put(frame, 0, frame.length);
        }

        private static byte[] text(String text) {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        public void start(Batch to) {
            put('S', false, 0, new byte[0], to);
        }

        @Override
        public void apply(PeerSettings settings) {
            // no state
        }

        @Override
        public void settingsAck(Batch to) {
            put('A', false, 0, new byte[0], to);
        }

        @Override
        public int dataHeadLength() {
            return HEAD;
        }

        @Override
        public int maxDataLength() {
            return MAX_DATA;
        }

        @Override
        public void head(int id, ResponseHead head, long contentLength, boolean end, Batch to) {
            put('H', end, id, text(head.status() + (contentLength < 0 ? "" : " " + contentLength)), to);
        }

        @Override
        public void interim(int id, int status, Headers fields, Batch to) {
            put('I', false, id, text(Integer.toString(status)), to);
        }

        @Override
        public void dataHead(int id, int length, boolean end, Batch to) {
            to.room(HEAD).put((byte) 'D').put((byte) (end ? 1 : 0)).putInt(id).putInt(length);
        }

        @Override
        public void trailers(int id, Headers fields, Batch to) {
            put('T', true, id, text(fields.name(0) + "=" + fields.value(0)), to);
        }

        @Override
        public void reset(int id, Fault fault, Batch to) {
            put('R', false, id, text(fault.name()), to);
        }

        @Override
        public void credit(int id, int increment, Batch to) {
            put('W', false, id, number(increment), to);
        }

        @Override
        public void ping(long payload, boolean ack, Batch to) {
            put(ack ? 'Q' : 'P', false, 0, number((int) payload), to);
        }

        @Override
        public void goAway(int lastId, Fault fault, Batch to) {
            put('G', false, lastId, text(fault.name()), to);
        }
    }
}
