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
 * Responses that the client did not ask for (RFC 9113, 8.4): each is promised on the stream of a request, before that is answered,
 * and its own request is dispatched as if the client had sent it. It counts among the exchanges that the connection may have
 * running, so that a handler that pushes much pushes less.
 *
 * <p><b>Threads.</b> Any.
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

    /** May something be pushed on behalf of this stream? */
    boolean isPossible(MuxServerStream by) {
        synchronized (connection.output()) {
            return mayPush(by);
        }
    }

    /** Only on a stream that the client has opened, and that is still to be answered. With the lock. */
    private boolean mayPush(MuxServerStream by) {
        return !by.isPushed()
                && by.isOwnOpen()
                && connection.shutdown().state().isServing()
                && hasRoom(writer.maxPushed());
    }

    private boolean hasRoom(int most) {
        MuxStreams streams = connection.streams();
        return most > 0
                && !streams.areMore(options.get(MuxOptions.MAX_CONCURRENT_STREAMS))
                && streams.nextPushed() > 0
                && streams.all().stream().filter(MuxStream::isPushed).count() < most;
    }

    /** As {@link io.millrace.protocol.HttpStream#push}; the other fields are those of the request of that stream. */
    boolean promise(MuxServerStream by, RequestHead of, String method, String target, Headers headers) {
        RequestHead promised = head(of, method, target, headers);
        MuxServerStream stream = promised == null ? null : open(by, promised);
        if (promised == null || stream == null) {
            return false;
        }
        connection.output().pump().flushSoon();
        connection.dispatchElsewhere(promised, stream);
        return true;
    }

    private @Nullable MuxServerStream open(MuxServerStream by, RequestHead promised) {
        MuxOutput output = connection.output();
        synchronized (output) {
            if (!mayPush(by)) {
                return null;
            }
            MuxStreams streams = connection.streams();
            int id = streams.nextPushed();
            MuxServerStream stream = new MuxServerStream(
                    connection,
                    new MuxServerStream.Opening(id, promised, promised.method(), null, true, false),
                    streams.initialWindow());
            streams.open(stream);
            output.say(to -> writer.push(by.id(), id, promised, to));
            return stream;
        }
    }

    /** Null if it is no request that could be promised, or one that the connector would refuse. */
    private @Nullable RequestHead head(RequestHead of, String method, String target, Headers headers) {
        boolean safe = method.equals(Method.GET) || method.equals(Method.HEAD);
        int mark = target.indexOf('?');
        String raw = mark < 0 ? target : target.substring(0, mark);
        if (!safe || of.authority() == null || !isPrintable(target) || isTooLarge(target, headers)) {
            return null;
        }
        RequestPath path = RequestPath.parse(
                raw, options.get(ProtocolOptions.ENCODED_SOLIDUS_HANDLING), options.get(ProtocolOptions.URI_ENCODING));
        if (path == null) {
            return null;
        }
        Headers fields = headers.copy().set("host", of.authority());
        String query = mark < 0 ? null : target.substring(mark + 1);
        return new RequestHead(method, target, path, query, of.version(), of.scheme(), of.authority(), fields, 0);
    }

    private static boolean isPrintable(String target) {
        return target.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#');
    }

    private boolean isTooLarge(String target, Headers headers) {
        return target.length() + headers.characters() > options.get(HttpOptions.MAX_REQUEST_HEADER_SIZE)
                || headers.size() >= options.get(ProtocolOptions.MAX_HEADER_COUNT);
    }
}
