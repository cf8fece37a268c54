package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;

/** Parses heads, and formats the result in a line. */
final class Heads {

    private Heads() {}

    /** The head in one line, the name of the refusal, or NEED_MORE; and the number of remaining bytes. */
    static String whole(byte[] input, Settings options) {
        RequestHeadParser parser = new RequestHeadParser(new Http1Rules(options, "http"));
        ByteBuffer in = direct(input);
        Parsing parsing = parser.parse(in);
        return describe(parser, parsing, in.remaining());
    }

    /** The same, a byte at a time. */
    static String byteByByte(byte[] input, Settings options) {
        RequestHeadParser parser = new RequestHeadParser(new Http1Rules(options, "http"));
        Parsing parsing = Parsing.NEED_MORE;
        int at = 0;
        while (parsing == Parsing.NEED_MORE && at < input.length) {
            parsing = parser.parse(direct(new byte[] {input[at]}));
            at++;
        }
        return describe(parser, parsing, input.length - at);
    }

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static String describe(RequestHeadParser parser, Parsing parsing, int left) {
        return switch (parsing) {
            case NEED_MORE -> "NEED_MORE";
            case REFUSED -> parser.refusal().name();
            case COMPLETE -> describe(parser.head(), parser.framing()) + " left " + left;
        };
    }

    static String describe(RequestHead head, Framing framing) {
        StringBuilder line = new StringBuilder();
        line.append(head.method())
                .append(' ')
                .append(head.target())
                .append(" path ")
                .append(head.path().decoded())
                .append(" query ")
                .append(head.query())
                .append(' ')
                .append(head.version())
                .append(" at ")
                .append(head.authority())
                .append(" length ")
                .append(head.contentLength())
                .append(framing.isPersistent(head.version()) ? " keep" : " close")
                .append(framing.expectsContinue(head.version()) ? " expects" : "");
        Headers headers = head.headers();
        for (int i = 0; i < headers.size(); i++) {
            line.append(" [")
                    .append(headers.name(i))
                    .append('|')
                    .append(headers.value(i))
                    .append(']');
        }
        return line.toString();
    }
}
