package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Server push (RFC 9113, 8.4): each pushed response is promised on the stream of a request before the end of its response,
 * and its own request is dispatched as if the client had sent it. It counts against the limit of concurrent exchanges.
 *
 * <p><b>Threads.</b> Thread-safe.
 */
final class ServerPush {

    private final MuxServerConnection connection;
    private final FrameWriter writer;
    private final Settings options;

    ServerPush(MuxServerConnection connection, FrameWriter writer) {
        this.connection = connection;
        this.writer = writer;
        options = connection.context().options();
    }

    /** Whether a response can be pushed on this stream now. */
    boolean isPossible(MuxServerStream parent) {
        synchronized (connection.lock()) {
            return mayPush(parent);
        }
    }

    /** Only on a stream opened by the client whose response has not ended. Called with the lock held. */
    private boolean mayPush(MuxServerStream parent) {
        connection.lock().assertHeld();
        return !parent.isPushed()
                && parent.isOwnOpen()
                && connection.shutdown().state().isServing()
                && !connection.shutdown().hasPeerLeft()
                && hasRoom(writer.maxPushed());
    }

    private boolean hasRoom(int max) {
        MuxStreams streams = connection.streams();
        return max > 0
                && !streams.isAtLimit(options.get(MuxOptions.MAX_CONCURRENT_STREAMS))
                && streams.nextPushed() > 0
                && streams.all().stream().filter(MuxStream::isPushed).count() < max;
    }

    /** See {@link io.millrace.protocol.HttpStream#push}; authority, scheme and version are those of the parent's request. */
    boolean promise(MuxServerStream parent, RequestHead request, String method, String target, Headers headers) {
        RequestHead promised = head(request, method, target, headers);
        MuxServerStream stream = promised == null ? null : open(parent, promised);
        if (promised == null || stream == null) {
            return false;
        }
        connection.output().pump().flushSoon();
        connection.dispatchElsewhere(promised, stream);
        return true;
    }

    private @Nullable MuxServerStream open(MuxServerStream parent, RequestHead promised) {
        MuxOutput output = connection.output();
        synchronized (connection.lock()) {
            if (!mayPush(parent)) {
                return null;
            }
            MuxStreams streams = connection.streams();
            int id = streams.nextPushed();
            MuxServerStream stream = new MuxServerStream(
                    connection,
                    new MuxServerStream.Opening(id, promised, promised.method(), null, true, false),
                    streams.initialWindow());
            streams.open(stream);
            output.sendControl(to -> writer.push(parent.id(), id, promised, to));
            return stream;
        }
    }

    /** Null if the request cannot be promised, or the connector would reject it. */
    private @Nullable RequestHead head(RequestHead request, String method, String target, Headers headers) {
        boolean safe = method.equals(Method.GET) || method.equals(Method.HEAD);
        int mark = target.indexOf('?');
        String raw = mark < 0 ? target : target.substring(0, mark);
        if (!safe || request.authority() == null || !isPrintable(target) || isTooLarge(target, headers)) {
            return null;
        }
        RequestPath path = RequestPath.parse(
                raw, options.get(ProtocolOptions.ENCODED_SOLIDUS_HANDLING), options.get(ProtocolOptions.URI_ENCODING));
        if (path == null) {
            return null;
        }
        Headers fields = headers.copy().set("host", request.authority());
        String query = mark < 0 ? null : target.substring(mark + 1);
        return new RequestHead(
                method, target, path, query, request.version(), request.scheme(), request.authority(), fields, 0);
    }

    private static boolean isPrintable(String target) {
        return target.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#');
    }

    private boolean isTooLarge(String target, Headers headers) {
        return target.length() + headers.characters() > options.get(HttpOptions.MAX_REQUEST_HEADER_SIZE)
                || headers.size() >= options.get(ProtocolOptions.MAX_HEADER_COUNT);
    }
}
