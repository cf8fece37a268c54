package io.millrace.proxyprotocol;

import io.millrace.io.FrontEnd;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The parser of version 2: sixteen bytes, addresses, and fields (proxy-protocol.txt, 2.2). Strict. */
final class BlockHeader {

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
