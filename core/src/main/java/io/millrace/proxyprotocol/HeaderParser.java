package io.millrace.proxyprotocol;

import io.millrace.io.FrontEnd;
import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An incremental parser of a connection's header, which consumes no byte behind it. Not thread-safe.
 */
final class HeaderParser {

    /** The maximum length of a header of version 1, with its line end (proxy-protocol.txt, 2.1). */
    static final int MAX_LINE = 107;

    /**
     * The maximum length of a header of version 2 after its first sixteen bytes. The protocol permits 64 KiB, but addresses take at
     * most 216 bytes, and this is sufficient for complete client certificates.
     */
    static final int MAX_BLOCK = 8 * 1024;

    static final int FIXED_LENGTH = 16;

    private static final byte[] VERSION_1 = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VERSION_2 = "\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[MAX_LINE];
    private int length;
    private int whole = FIXED_LENGTH;
    private HeaderState state = HeaderState.START;
    private String defect = "";

    /** Consumes bytes that belong, or may belong, to the header. Returns the new state. */
    HeaderState take(ByteBuffer input) {
        while (state.isOpen() && input.hasRemaining()) {
            append(input.get());
            switch (state) {
                case START -> detectVersion();
                case LINE -> endLine();
                case FIXED, BLOCK -> endBlock();
                default -> throw new IllegalStateException("a byte was consumed in state " + state);
            }
        }
        return state;
    }

    /**
     * The header, once it is complete.
     *
     * @throws BadHeaderException if it is malformed
     */
    ProxyHeader header() throws BadHeaderException {
        if (state != HeaderState.COMPLETE) {
            throw new IllegalStateException("there is no header in state " + state);
        }
        return bytes[0] == VERSION_1[0] ? LineHeader.parse(taken()) : BlockHeader.parse(taken());
    }

    /** All bytes consumed so far. */
    byte[] taken() {
        return Arrays.copyOf(bytes, length);
    }

    /** The number of bytes consumed so far. */
    int length() {
        return length;
    }

    /** The reason for the refusal. */
    String defect() {
        return defect;
    }

    private void append(byte next) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(2 * length, FIXED_LENGTH + MAX_BLOCK));
        }
        bytes[length++] = next;
    }

    private void detectVersion() {
        byte[] candidate = bytes[0] == VERSION_1[0] ? VERSION_1 : VERSION_2;
        if (bytes[length - 1] != candidate[length - 1]) {
            move(HeaderState.Event.SOMETHING_ELSE);
        } else if (length == candidate.length) {
            move(candidate.length == VERSION_1.length ? HeaderState.Event.VERSION_1 : HeaderState.Event.VERSION_2);
        }
    }

    private void endLine() {
        boolean afterReturn = bytes[length - 2] == '\r';
        boolean lineFeed = bytes[length - 1] == '\n';
        if (afterReturn && lineFeed) {
            move(HeaderState.Event.WHOLE);
        } else if (afterReturn || lineFeed) {
            refuse("its line does not end with carriage return and line feed");
        } else if (length == MAX_LINE) {
            refuse("its line is longer than " + MAX_LINE + " bytes");
        }
    }

    private void endBlock() {
        if (length == whole && state == HeaderState.BLOCK) {
            move(HeaderState.Event.WHOLE);
        } else if (length == FIXED_LENGTH) {
            announce((bytes[FIXED_LENGTH - 2] & 0xff) << Byte.SIZE | bytes[FIXED_LENGTH - 1] & 0xff);
        }
    }

    private void announce(int following) {
        if (following > MAX_BLOCK) {
            refuse("it announces " + following + " bytes; expected at most " + MAX_BLOCK);
            return;
        }
        whole = FIXED_LENGTH + following;
        move(following == 0 ? HeaderState.Event.WHOLE : HeaderState.Event.LENGTH);
    }

    private void refuse(String why) {
        defect = why;
        move(HeaderState.Event.BAD);
    }

    private void move(HeaderState.Event event) {
        HeaderState next = HeaderState.next(state, event);
        if (next == null) {
            throw new IllegalStateException(event + " in " + state);
        }
        state = next;
    }

    /** The parser of version 2: sixteen bytes, addresses, and fields (proxy-protocol.txt, 2.2). Strict. */
    private static final class BlockHeader {

        private static final int VERSION_AND_COMMAND = 12;
        private static final int LOCAL = 0x20;
        private static final int PROXY = 0x21;
        private static final int UNIX_PATH = 108;

        private BlockHeader() {}

        /** Parses a complete header. */
        static ProxyHeader parse(byte[] header) throws BadHeaderException {
            ByteBuffer rest = ByteBuffer.wrap(header);
            rest.position(VERSION_AND_COMMAND);
            int versionAndCommand = rest.get() & 0xff;
            if (versionAndCommand >> 4 != 2) {
                throw new BadHeaderException("its version is " + (versionAndCommand >> 4) + "; expected 2");
            }
            if (versionAndCommand == LOCAL) {
                return ProxyHeader.LOCAL; // the rest must be discarded, including the address family
            }
            if (versionAndCommand != PROXY) {
                throw new BadHeaderException(
                        "its command is " + (versionAndCommand & 0xf) + "; expected 0 (LOCAL) or 1 (PROXY)");
            }
            int familyAndTransport = rest.get() & 0xff;
            rest.position(HeaderParser.FIXED_LENGTH);
            Ends ends = Ends.read(familyAndTransport, rest);
            Crc32c.check(header, rest.position());
            FrontEnd frontEnd = new FrontEndFields().read(rest);
            return new ProxyHeader(ends.source(), ends.destination(), frontEnd);
        }

        /** The addresses; both null if the front end did not know them. */
        private record Ends(
                @Nullable SocketAddress source, @Nullable SocketAddress destination) {

            /** Accepts only the seven values in the specification, which requires that all others are rejected. */
            static Ends read(int familyAndTransport, ByteBuffer block) throws BadHeaderException {
                return switch (familyAndTransport) {
                    case 0x00 -> new Ends(null, null);
                    case 0x11, 0x12 -> inet(block, 4);
                    case 0x21, 0x22 -> inet(block, 16);
                    case 0x31, 0x32 -> unix(block);
                    default ->
                        throw new BadHeaderException("its address family and transport are "
                                + String.format("0x%02x", familyAndTransport) + ", which is not assigned");
                };
            }

            private static Ends inet(ByteBuffer block, int length) throws BadHeaderException {
                demand(block, 2 * length + 2 * Short.BYTES);
                InetAddress source = address(block, length);
                InetAddress destination = address(block, length);
                return new Ends(
                        new InetSocketAddress(source, block.getShort() & 0xffff),
                        new InetSocketAddress(destination, block.getShort() & 0xffff));
            }

            private static Ends unix(ByteBuffer block) throws BadHeaderException {
                demand(block, 2 * UNIX_PATH);
                return new Ends(path(block), path(block));
            }

            private static void demand(ByteBuffer block, int length) throws BadHeaderException {
                if (block.remaining() < length) {
                    throw new BadHeaderException(
                            "its addresses take " + length + " bytes, but only " + block.remaining() + " follow");
                }
            }

            private static InetAddress address(ByteBuffer block, int length) {
                byte[] address = new byte[length];
                block.get(address);
                try {
                    return InetAddress.getByAddress(address);
                } catch (UnknownHostException wrongLength) {
                    throw new IllegalArgumentException("an address of " + length + " bytes", wrongLength);
                }
            }

            /** A path padded with zeros. A name that is not a valid path, such as an abstract one of Linux, is treated as empty. */
            private static SocketAddress path(ByteBuffer block) {
                byte[] path = new byte[UNIX_PATH];
                block.get(path);
                int length = 0;
                while (length < UNIX_PATH && path[length] != 0) {
                    length++;
                }
                try {
                    return UnixDomainSocketAddress.of(new String(path, 0, length, StandardCharsets.UTF_8));
                } catch (IllegalArgumentException notAPath) {
                    return UnixDomainSocketAddress.of("");
                }
            }
        }
    }

    /** The parser of version 1: one line of text (proxy-protocol.txt, 2.1). Strict. */
    private static final class LineHeader {

        private static final int WORDS = 6;

        private LineHeader() {}

        /** Parses a line with its line end. */
        static ProxyHeader parse(byte[] line) throws BadHeaderException {
            String text = new String(line, 0, line.length - 2, StandardCharsets.ISO_8859_1);
            String[] words = text.split(" ", -1);
            boolean ipv6 = words[1].equals("TCP6");
            if (words[1].equals("UNKNOWN")) {
                return ProxyHeader.UNKNOWN; // the rest of the line must be ignored
            }
            if (!ipv6 && !words[1].equals("TCP4")) {
                throw new BadHeaderException("its protocol is not TCP4, TCP6 or UNKNOWN");
            }
            if (words.length != WORDS) {
                throw new BadHeaderException(
                        "it does not have two addresses and two ports, with one space before each");
            }
            return new ProxyHeader(
                    address(words[2], words[4], ipv6), address(words[3], words[5], ipv6), FrontEnd.SILENT);
        }

        private static SocketAddress address(String host, String port, boolean ipv6) throws BadHeaderException {
            InetAddress parsed = ipv6 ? IpLiteral.parseIpv6(host) : IpLiteral.parseIpv4(host);
            return new InetSocketAddress(known(parsed, ipv6), port(port));
        }

        private static InetAddress known(@Nullable InetAddress address, boolean ipv6) throws BadHeaderException {
            if (address == null) {
                throw new BadHeaderException("one of its addresses is not an IPv" + (ipv6 ? 6 : 4) + " address");
            }
            return address;
        }

        private static int port(String digits) throws BadHeaderException {
            int port = IpLiteral.parsePort(digits);
            if (port < 0) {
                throw new BadHeaderException("one of its ports is not a number from 0 to 65535");
            }
            return port;
        }
    }

    /** Verifies the checksum of a header, which is computed with zeros in its own place (proxy-protocol.txt, 2.2.3). */
    private static final class Crc32c {

        private static final int TYPE = 0x03;

        private Crc32c() {}

        /**
         * Rejects a header with a wrong checksum; the checksum is optional.
         *
         * @param fields the offset of the first field
         */
        static void check(byte[] header, int fields) throws BadHeaderException {
            ByteBuffer rest = ByteBuffer.wrap(header);
            rest.position(fields);
            boolean checked = false;
            for (Field field = Field.next(rest); field != null; field = Field.next(rest)) {
                if (field.type() == TYPE) {
                    if (checked || field.value().remaining() != Integer.BYTES) {
                        throw new BadHeaderException("it has two checksums, or one that does not have four bytes");
                    }
                    checked = true;
                    check(header, rest.position() - Integer.BYTES, field.value().getInt());
                }
            }
        }

        private static void check(byte[] header, int place, int expected) throws BadHeaderException {
            CRC32C sum = new CRC32C();
            sum.update(header, 0, place);
            sum.update(new byte[Integer.BYTES]);
            int after = place + Integer.BYTES;
            sum.update(header, after, header.length - after);
            if ((int) sum.getValue() != expected) {
                throw new BadHeaderException("its checksum is wrong");
            }
        }
    }
}
