package io.millrace.compression;

import io.millrace.protocol.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Parses the header and trailer of a gzip member (RFC 1952, 2.3) incrementally.
 *
 * <pre>
 * FIXED ──▶ EXTRA_LENGTH ──▶ EXTRA ──▶ NAME ──▶ COMMENT ──▶ CHECK ──▶ DONE     optional parts depend on the flags
 * </pre>
 */
final class GzipFrame {

    private static final int FIXED_SIZE = 10;
    private static final int TRAILER_SIZE = 8;

    /** The maximum length of the name and of the comment, which are skipped. */
    private static final int MAX_HEADER = 64 * 1024;

    private enum Part {
        FIXED,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        CHECK,
        DONE
    }

    private Part part = Part.FIXED;
    private int inPart;
    private int headerSize;
    private int flags;
    private int extra;
    private int trailerSize;
    private long trailer;

    /** Parses more of the header. True if it is complete: the remaining bytes are compressed data. */
    boolean readHead(ByteBuffer in) throws ProtocolException {
        while (part != Part.DONE && in.hasRemaining()) {
            if (++headerSize > MAX_HEADER) {
                throw new ProtocolException(400, "the header of a gzip body is larger than " + MAX_HEADER + " bytes");
            }
            take(in.get() & 0xff);
        }
        return part == Part.DONE;
    }

    private void take(int octet) throws ProtocolException {
        int at = inPart++;
        switch (part) {
            case FIXED -> fixed(at, octet);
            case EXTRA_LENGTH -> {
                extra |= octet << 8 * at;
                nextIf(at == 1);
            }
            case EXTRA -> nextIf(at == extra - 1);
            case NAME, COMMENT -> nextIf(octet == 0);
            case CHECK -> nextIf(at == 1);
            case DONE -> throw new IllegalStateException("the gzip header was already complete");
        }
    }

    private void fixed(int at, int octet) throws ProtocolException {
        boolean valid = switch (at) {
            case 0 -> octet == 0x1f;
            case 1 -> octet == 0x8b;
            case 2 -> octet == 8;
            default -> true;
        };
        if (!valid) {
            throw new ProtocolException(400, "a request's body has the Content-Encoding gzip, but no gzip header");
        }
        if (at == 3) {
            flags = octet;
        }
        nextIf(at == FIXED_SIZE - 1);
    }

    private void nextIf(boolean ended) {
        while (ended) {
            inPart = 0;
            part = following();
            if (isPresent()) {
                return;
            }
        }
    }

    private Part following() {
        return switch (part) {
            case FIXED -> Part.EXTRA_LENGTH;
            case EXTRA_LENGTH -> Part.EXTRA;
            case EXTRA -> Part.NAME;
            case NAME -> Part.COMMENT;
            case COMMENT -> Part.CHECK;
            case CHECK, DONE -> Part.DONE;
        };
    }

    private boolean isPresent() {
        return switch (part) {
            case EXTRA_LENGTH -> (flags & 4) != 0;
            case EXTRA -> extra > 0;
            case NAME -> (flags & 8) != 0;
            case COMMENT -> (flags & 16) != 0;
            case CHECK -> (flags & 2) != 0;
            case FIXED, DONE -> true;
        };
    }

    /** Parses more of the checksum and length at the end. True if they are complete. */
    boolean readTrailer(ByteBuffer in) {
        while (trailerSize < TRAILER_SIZE && in.hasRemaining()) {
            trailer |= (in.get() & 0xffL) << 8 * trailerSize;
            trailerSize++;
        }
        return trailerSize == TRAILER_SIZE;
    }

    /** Whether checksum and length match the data. */
    boolean matches(long crc, long length) {
        return (trailer & 0xffffffffL) == crc && trailer >>> 32 == (length & 0xffffffffL);
    }
}
