package io.millrace.http1;

import static io.millrace.http1.Http1Options.MAX_EXTENSION_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_TRAILER_SIZE;

import io.millrace.http.Headers;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.RequestFault;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Parses the framing of a chunked body (RFC 9112, 7.1). Input may be split at any byte. Strict, to prevent request
 * smuggling: a size consists of hex digits only, extensions follow their grammar, and lines end in CR LF, never in LF alone.
 */
final class ChunkedDecoder {

    /** As many as fit into a long. */
    private static final int MAX_DIGITS = 15;

    private enum State {
        SIZE,
        EXTENSION,
        SIZE_LINE_FEED,
        DATA,
        DATA_RETURN,
        DATA_LINE_FEED,
        TRAILERS,
        DONE
    }

    private final Settings options;
    private final ChunkExtensions extensions = new ChunkExtensions();

    private State state = State.SIZE;
    private @Nullable RequestFault refusal;
    private @Nullable Trailers trailers;
    private long size;
    private int digits;
    private int extensionOctets;

    /** The trailer section. */
    private record Trailers(Window window, Headers headers, FieldParser parser) {
        static Trailers of(Settings options) {
            Window window = new Window();
            Headers headers = new Headers();
            FieldParser parser = new FieldParser(window, headers, options);
            return new Trailers(window, headers, parser);
        }

        void keepAllowed(Settings options) {
            Headers sent = headers.copy();
            headers.clear();
            for (int i = 0; i < sent.size(); i++) {
                if (HttpOptions.keepsTrailer(options, sent.name(i))) {
                    headers.add(sent.name(i), sent.value(i));
                }
            }
        }
    }

    ChunkedDecoder(Settings options) {
        this.options = options;
    }

    /** Parses up to the next data or the end. NEED_MORE: all input was consumed. */
    Parsing advance(ByteBuffer in) {
        while (state != State.DATA && state != State.DONE) {
            if (!in.hasRemaining()) {
                return Parsing.NEED_MORE;
            }
            if (!step(in)) {
                return Parsing.REFUSED;
            }
        }
        return Parsing.COMPLETE;
    }

    /** The number of data bytes that follow; 0 at the end of the body. */
    long dataLeft() {
        return state == State.DATA ? size : 0;
    }

    /** Records that the caller has consumed data bytes. */
    void took(long bytes) {
        size -= bytes;
        if (size == 0) {
            state = State.DATA_RETURN;
        }
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /** Why the body was rejected, after REFUSED. */
    RequestFault refusal() {
        return refusal == null ? RequestFault.BAD_CHUNK_SIZE : refusal;
    }

    /** The trailer fields, once done; null if there are none. */
    @Nullable
    Headers trailers() {
        return trailers == null || trailers.headers().size() == 0 ? null : trailers.headers();
    }

    private boolean step(ByteBuffer in) {
        return switch (state) {
            case SIZE -> size(in.get());
            case EXTENSION -> extension(in.get());
            case SIZE_LINE_FEED -> in.get() == Octets.LF ? beginData() : refuse(RequestFault.BAD_CHUNK_SIZE);
            case DATA_RETURN -> expect(in.get(), Octets.CR, State.DATA_LINE_FEED);
            case DATA_LINE_FEED -> expect(in.get(), Octets.LF, State.SIZE);
            case TRAILERS -> trailers(in);
            case DATA, DONE -> true;
        };
    }

    private boolean size(byte octet) {
        int digit = Octets.hex(octet);
        if (digit >= 0 && digits < MAX_DIGITS) {
            size = size << 4 | digit;
            digits++;
            return true;
        }
        if (digits > 0 && octet == Octets.CR) {
            state = State.SIZE_LINE_FEED;
            return true;
        }
        extensions.restart();
        if (digits == 0 || !extensions.take(octet)) {
            return refuse(RequestFault.BAD_CHUNK_SIZE);
        }
        state = State.EXTENSION;
        return countExtension();
    }

    private boolean extension(byte octet) {
        if (!extensions.take(octet)) {
            return refuse(RequestFault.BAD_CHUNK_EXTENSION);
        }
        if (extensions.isDone()) {
            state = State.SIZE_LINE_FEED;
            return true;
        }
        return countExtension();
    }

    private boolean countExtension() {
        return ++extensionOctets <= options.get(MAX_EXTENSION_SIZE) || refuse(RequestFault.EXTENSIONS_TOO_LARGE);
    }

    private boolean beginData() {
        digits = 0;
        state = size == 0 ? State.TRAILERS : State.DATA;
        return true;
    }

    private boolean expect(byte octet, byte expected, State next) {
        state = next;
        return octet == expected || refuse(RequestFault.BAD_CHUNK_END);
    }

    private boolean trailers(ByteBuffer in) {
        if (trailers == null && isEmptyLine(in)) { // the usual case
            in.position(in.position() + 2);
            state = State.DONE;
            return true;
        }
        Trailers current = trailers == null ? Trailers.of(options) : trailers;
        trailers = current;
        int max =
                (int) Math.min(Integer.MAX_VALUE, options.get(MAX_TRAILER_SIZE) + 2L); // the empty line does not count
        Parsing progress = current.parser().parse();
        while (progress == Parsing.NEED_MORE && current.window().fill(in, max)) {
            progress = current.parser().parse();
        }
        return switch (progress) {
            case COMPLETE -> {
                current.window().consume(in);
                current.keepAllowed(options);
                state = State.DONE;
                yield true;
            }
            case REFUSED -> refuse(current.parser().refusal());
            case NEED_MORE -> {
                boolean full = current.window().size() >= max;
                current.window().carry(in);
                yield !full || refuse(RequestFault.TRAILERS_TOO_LARGE);
            }
        };
    }

    private static boolean isEmptyLine(ByteBuffer in) {
        int at = in.position();
        return in.remaining() >= 2 && in.get(at) == Octets.CR && in.get(at + 1) == Octets.LF;
    }

    private boolean refuse(RequestFault why) {
        refusal = why;
        return false;
    }
}
