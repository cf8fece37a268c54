package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;

/** Decodes chunked bodies, and formats the result in a line. */
final class ChunkedBodies {

    private ChunkedBodies() {}

    /** The data in quotes, the trailers, and the number of remaining bytes; or the name of the refusal. */
    static String whole(byte[] input, Settings options) {
        ChunkedDecoder decoder = new ChunkedDecoder(options);
        StringBuilder data = new StringBuilder();
        ByteBuffer in = Heads.direct(input);
        Parsing parsing = decode(decoder, in, data);
        return describe(decoder, parsing, data, in.remaining());
    }

    /** The same, a byte at a time. */
    static String byteByByte(byte[] input, Settings options) {
        ChunkedDecoder decoder = new ChunkedDecoder(options);
        StringBuilder data = new StringBuilder();
        Parsing parsing = Parsing.NEED_MORE;
        int at = 0;
        while (parsing == Parsing.NEED_MORE && at < input.length) {
            parsing = decode(decoder, Heads.direct(new byte[] {input[at]}), data);
            at++;
        }
        return describe(decoder, parsing, data, input.length - at);
    }

    private static Parsing decode(ChunkedDecoder decoder, ByteBuffer in, StringBuilder data) {
        Parsing parsing = decoder.advance(in);
        while (parsing == Parsing.COMPLETE && !decoder.isDone()) {
            if (!in.hasRemaining()) {
                return Parsing.NEED_MORE;
            }
            int length = (int) Math.min(decoder.dataLeft(), in.remaining());
            for (int i = 0; i < length; i++) {
                data.append((char) (in.get() & 0xff));
            }
            decoder.took(length);
            parsing = decoder.advance(in);
        }
        return parsing;
    }

    private static String describe(ChunkedDecoder decoder, Parsing parsing, StringBuilder data, int left) {
        return switch (parsing) {
            case NEED_MORE -> "NEED_MORE '" + data + "'";
            case REFUSED -> decoder.refusal().name();
            case COMPLETE -> "'" + data + "'" + describe(decoder.trailers()) + " left " + left;
        };
    }

    private static String describe(@org.jspecify.annotations.Nullable Headers trailers) {
        StringBuilder text = new StringBuilder(trailers == null ? "" : " ");
        for (int i = 0; trailers != null && i < trailers.size(); i++) {
            text.append('[')
                    .append(trailers.name(i))
                    .append('|')
                    .append(trailers.value(i))
                    .append(']');
        }
        return text.toString();
    }
}
