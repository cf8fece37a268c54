package io.millrace.http1;

import static io.millrace.http1.Http1Options.CONTINUE_TIMING;

import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.protocol.RefusedRequest;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.serial.Input;
import io.millrace.protocol.serial.SerialCodec;
import io.millrace.protocol.serial.SerialConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads the heads of the requests of an HTTP/1.1 connection, and responds to those that it rejects. */
final class Http1Codec implements SerialCodec {

    private final Http1Protocol protocol;

    /** Null unless a head has begun. */
    private @Nullable RequestHeadParser parser;

    Http1Codec(Http1Protocol protocol) {
        this.protocol = protocol;
    }

    @Override
    public Next next(SerialConnection connection) throws IOException {
        Input input = connection.input();
        for (Chunk chunk = input.next(); chunk != null; chunk = input.next()) {
            if (chunk.isEnd()) {
                return Next.LAST;
            }
            RequestHeadParser current = parser == null ? new RequestHeadParser(protocol.rules()) : parser;
            parser = current;
            switch (parse(current, chunk)) {
                case COMPLETE -> {
                    return request(current, keepsMore(input, chunk), connection);
                }
                case REFUSED -> {
                    return refuse(current.refusal(), connection);
                }
                case NEED_MORE -> {}
            }
        }
        return nothingMore();
    }

    /** Releases the chunk unless the head is complete, also if the parser throws. */
    private static Parsing parse(RequestHeadParser parser, Chunk chunk) {
        Parsing progress = Parsing.REFUSED;
        try {
            progress = parser.parse(chunk.bytes());
        } finally {
            if (progress != Parsing.COMPLETE) {
                chunk.release();
            }
        }
        return progress;
    }

    private static boolean keepsMore(Input input, Chunk chunk) {
        boolean more = chunk.bytes().hasRemaining();
        input.keep(chunk);
        return more;
    }

    private Next request(RequestHeadParser current, boolean more, SerialConnection connection) {
        RequestHead head = current.head();
        Http1Stream next = new Http1Stream(connection, protocol, head, current.framing());
        if (more && next.isAllUsed()) {
            current.next(); // its window already contains a part of the next head
        } else {
            parser = null;
        }
        if (protocol.options().get(CONTINUE_TIMING) == ContinueTiming.IMMEDIATELY) {
            next.askForBody();
        }
        return connection.request(next);
    }

    private Next nothingMore() {
        if (parser != null && parser.isInHead()) {
            return Next.PART_OF_HEAD;
        }
        if (parser != null && !parser.isBehindEmptyLine()) {
            parser = null;
        }
        return Next.NOTHING;
    }

    private Next refuse(RequestFault why, SerialConnection connection) {
        RequestHeadParser head = parser;
        why.countIn(connection.transport().channel().limits());
        ConnectionInfo info = connection.transport().channel().info();
        String line = head == null ? null : head.lineAsSent();
        RefusedRequest refused = new RefusedRequest(why.status(), why.found(), line, info);
        connection.dispatcher().refused(refused);
        if (head != null) {
            refused.log(() -> protocol.log().note(why, info, head));
        }
        connection
                .outbox()
                .send(
                        Completion.IGNORE,
                        Payload.of(ByteBuffer.wrap(protocol.answers()
                                .to(why, line != null && line.startsWith("HEAD "), refused.fields()))));
        return Next.LAST;
    }

    @Override
    public @Nullable Duration timeLeft(Next what, Duration limit) {
        if (parser == null) {
            return limit;
        }
        return what == Next.PART_OF_HEAD ? parser.timeLeft(limit) : parser.idleTimeLeft(limit);
    }

    @Override
    public void headOverdue(SerialConnection connection) {
        refuse(RequestFault.HEAD_TOO_SLOW, connection);
    }

    @Override
    public boolean isAllUsed() {
        return parser == null;
    }
}
