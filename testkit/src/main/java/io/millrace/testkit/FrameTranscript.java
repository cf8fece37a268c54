package io.millrace.testkit;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameReader;
import io.millrace.protocol.mux.FrameSink;
import io.millrace.protocol.mux.PeerSettings;
import io.millrace.protocol.mux.Priority;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records the frames that a reader decodes, as lines of text. The pieces of one body are one line. */
public final class FrameTranscript implements FrameSink {

    private final List<String> lines = new ArrayList<>();
    private final Set<Integer> open = new HashSet<>();
    private final StringBuilder body = new StringBuilder();
    private int flowLength;
    private boolean ignoring;
    private @Nullable RequestHead head;

    /** An empty transcript. */
    public FrameTranscript() {}

    /** Reads a connection's octets in pieces of this size; ends with the reader's fault, if any. */
    public FrameTranscript read(FrameReader reader, byte[] bytes, int piece) {
        try {
            for (int at = 0; at < bytes.length; at += Math.min(piece, bytes.length - at)) {
                ByteBuffer input = ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at));
                reader.read(input, this);
                if (input.hasRemaining()) {
                    throw new AssertionError("not all was read");
                }
            }
        } catch (ConnectionFault e) {
            lines.add(e.fault() + ": " + e.getMessage());
        }
        return this;
    }

    /** Whether header blocks from now on belong to streams that were reset. */
    public void ignoreHeaders(boolean reset) {
        ignoring = reset;
    }

    /** All lines. */
    public List<String> lines() {
        return lines;
    }

    /** The last line. */
    public String last() {
        return lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
    }

    /** The last request; null if there was none. */
    public @Nullable RequestHead head() {
        return head;
    }

    @Override
    public HeadersKind headers(int id, boolean end) {
        if (ignoring) {
            return HeadersKind.IGNORED;
        }
        return open.add(id) ? HeadersKind.REQUEST : HeadersKind.TRAILERS;
    }

    @Override
    public void request(int id, RequestHead request, @Nullable Priority priority, boolean end) {
        head = request;
        lines.add("request " + id + " " + request.method() + " " + request.target() + " " + request.contentLength()
                + (priority == null ? "" : " " + priority) + (end ? " end" : ""));
    }

    @Override
    public void connect(int id, RequestHead request, @Nullable Priority priority) {
        head = request;
        lines.add("connect " + id + " " + request.method() + " " + request.target());
    }

    @Override
    public void refused(int id, int status, String found, @Nullable String line, boolean end, Runnable log) {
        log.run();
        lines.add("refused " + id + " " + status + " " + found + " [" + line + "]");
    }

    @Override
    public void data(int id, ByteBuffer from, int length, int flow, boolean end) {
        body.append(StandardCharsets.ISO_8859_1.decode(from.slice(from.position(), length)));
        from.position(from.position() + length);
        flowLength += flow;
        if (end) {
            lines.add("body " + id + " " + body + " " + flowLength);
            body.setLength(0);
            flowLength = 0;
        }
    }

    @Override
    public void trailers(int id, Headers fields) {
        StringBuilder text = new StringBuilder();
        fields.names().forEach(name -> text.append(' ').append(name).append('=').append(fields.get(name)));
        lines.add("trailers " + id + text);
    }

    @Override
    public void fault(int id, Fault fault, String why) {
        lines.add("fault " + id + " " + fault + " " + why);
    }

    @Override
    public void reset(int id, Fault fault) {
        lines.add("reset " + id + " " + fault);
    }

    @Override
    public void credit(int id, int increment) {
        lines.add("credit " + id + " " + increment);
    }

    @Override
    public void settings(PeerSettings settings) {
        lines.add("settings " + settings.initialWindow() + " " + settings.maxFrameSize() + " "
                + settings.headerTableSize() + " " + settings.maxStreams() + " " + settings.push());
    }

    @Override
    public void settingsAcknowledged() {
        lines.add("acknowledged");
    }

    @Override
    public void ping(long payload, boolean ack) {
        lines.add("ping " + payload + (ack ? " ack" : ""));
    }

    @Override
    public void priority(int id, Priority priority) {
        lines.add("priority " + id + " " + priority);
    }

    @Override
    public void goAway(int lastId, Fault fault) {
        lines.add("goaway " + lastId + " " + fault);
    }

    @Override
    public void glitch() {
        lines.add("glitch");
    }
}
