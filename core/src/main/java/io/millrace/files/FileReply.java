package io.millrace.files;

import io.millrace.http.Headers;
import io.millrace.io.PayloadReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The response to a request for a file: the status, the header fields and the pieces of the body. Immutable. */
public final class FileReply {

    /** A piece of the response's body. */
    public sealed interface Piece {

        long length();

        /** A range of the file. */
        record OfFile(ByteRange range) implements Piece {
            @Override
            public long length() {
                return range.length();
            }
        }

        /** A boundary between the parts of a multipart response (RFC 9110, 14.6). */
        record Text(String text) implements Piece {

            /** The text, encoded in ASCII. */
            public byte[] bytes() {
                return text.getBytes(StandardCharsets.US_ASCII);
            }

            @Override
            public long length() {
                return text.length();
            }
        }
    }

    private static final int COPY = 32 * 1024;

    private final CachedFile known;
    private final Representation chosen;
    private final int status;
    private final List<Piece> pieces;
    private final @Nullable String contentRange;
    private final String type;

    private FileReply(
            CachedFile known,
            Representation chosen,
            int status,
            List<Piece> pieces,
            @Nullable String contentRange,
            String type) {
        this.known = known;
        this.chosen = chosen;
        this.status = status;
        this.pieces = pieces;
        this.contentRange = contentRange;
        this.type = type;
    }

    /** The response to a request with this method and these fields. */
    static FileReply of(String method, Headers request, CachedFile known) {
        Representation chosen = known.choose(request);
        switch (Preconditions.evaluate(method, request, chosen.validators())) {
            case NOT_MODIFIED -> {
                return bodiless(known, chosen, 304, null);
            }
            case FAILED -> {
                return bodiless(known, chosen, 412, null);
            }
            case PASSED -> {}
        }
        String range = chosen.hasRanges() && method.equals("GET") ? request.get("Range") : null;
        long length = chosen.file().length();
        List<ByteRange> ranges = range != null && Preconditions.isRangeFor(request, chosen.validators())
                ? ByteRanges.parse(range, length)
                : null;
        return ranges == null ? whole(known, chosen) : partial(known, chosen, ranges, length);
    }

    /** The complete, uncompressed file, whatever the request. */
    static FileReply whole(CachedFile known) {
        return whole(known, known.forms().get(0));
    }

    private static FileReply whole(CachedFile known, Representation chosen) {
        long length = chosen.file().length();
        List<Piece> pieces = length == 0 ? List.of() : List.of(new Piece.OfFile(new ByteRange(0, length)));
        return new FileReply(known, chosen, 200, pieces, null, chosen.type());
    }

    private static FileReply bodiless(
            CachedFile known, Representation chosen, int status, @Nullable String contentRange) {
        return new FileReply(known, chosen, status, List.of(), contentRange, chosen.type());
    }

    private static FileReply partial(CachedFile known, Representation chosen, List<ByteRange> ranges, long length) {
        if (ranges.isEmpty()) {
            return bodiless(known, chosen, 416, "bytes */" + length);
        }
        if (ranges.size() == 1) {
            ByteRange only = ranges.get(0);
            return new FileReply(known, chosen, 206, List.of(new Piece.OfFile(only)), only.of(length), chosen.type());
        }
        // random, so that the author of a file cannot include the boundary
        String boundary = Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
        List<Piece> pieces = new ArrayList<>(2 * ranges.size() + 1);
        String before = "--";
        for (ByteRange range : ranges) {
            String type = chosen.type().isEmpty() ? "" : "Content-Type: " + chosen.type() + "\r\n";
            pieces.add(new Piece.Text(
                    before + boundary + "\r\n" + type + "Content-Range: " + range.of(length) + "\r\n\r\n"));
            pieces.add(new Piece.OfFile(range));
            before = "\r\n--";
        }
        pieces.add(new Piece.Text("\r\n--" + boundary + "--\r\n"));
        return new FileReply(known, chosen, 206, pieces, null, "multipart/byteranges; boundary=" + boundary);
    }

    /** The status: 200, 206, 304, 412 or 416. */
    public int status() {
        return status;
    }

    /** Whether the caller has to write an error body: for 412 and 416. */
    public boolean isError() {
        return status >= 400;
    }

    /** The file whose bytes are sent, possibly a precompressed one. */
    public ServedFile file() {
        return chosen.file();
    }

    /** Adds the header fields except Content-Length and Content-Type. */
    public void describe(Headers response) {
        if (!isError()) {
            chosen.describe(response);
        }
        if (status < 300) {
            chosen.describeContent(response);
        }
        if (contentRange != null) {
            response.add("Content-Range", contentRange);
        }
    }

    /** The content type of the body; empty if it is unknown. */
    public String contentType() {
        return type;
    }

    /** The length of the body, also if it is not sent because of HEAD; -1 for 304 and errors. */
    public long contentLength() {
        if (status >= 300) {
            return -1;
        }
        long sum = 0;
        for (int i = 0; i < pieces.size(); i++) {
            sum += pieces.get(i).length();
        }
        return sum;
    }

    /** The pieces of the body, in order. */
    public List<Piece> pieces() {
        return pieces;
    }

    /**
     * Copies the body into a stream, where the operating system cannot send it.
     *
     * @throws IOException if the file is truncated or cannot be read, or writing fails
     */
    public void writeTo(OutputStream out) throws IOException {
        InputStream in = file().open();
        try {
            long at = 0;
            for (Piece piece : pieces) {
                if (piece instanceof Piece.Text text) {
                    out.write(text.bytes());
                } else if (piece instanceof Piece.OfFile part) {
                    if (part.range().from() < at) {
                        in.close();
                        in = file().open();
                        at = 0;
                    }
                    in.skipNBytes(part.range().from() - at);
                    copy(in, out, part.length());
                    at = part.range().end();
                }
            }
        } finally {
            in.close();
        }
    }

    private static void copy(InputStream in, OutputStream out, long length) throws IOException {
        byte[] buffer = new byte[(int) Math.min(COPY, length)];
        for (long left = length; left > 0; ) {
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                throw PayloadReader.truncated(left);
            }
            out.write(buffer, 0, count);
            left -= count;
        }
    }

    /** Whether the body is the complete file, uncompressed. */
    boolean isWhole() {
        return status == 200 && pieces.size() == 1 && chosen.coding() == null;
    }

    CachedFile known() {
        return known;
    }

    Representation chosen() {
        return chosen;
    }
}
