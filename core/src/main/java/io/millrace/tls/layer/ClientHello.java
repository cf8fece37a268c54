package io.millrace.tls.layer;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a ClientHello that select the engine (RFC 8446, 4.1.2).
 *
 * @param serverName the host name (SNI; RFC 6066, 3) in lower case; null if there is none
 * @param protocols the offered application protocols (ALPN; RFC 7301, 3.1), in order
 */
record ClientHello(@Nullable String serverName, List<String> protocols) {

    private static final int SERVER_NAME = 0;
    private static final int ALPN = 16;
    private static final int HOST_NAME = 0;
    private static final int RANDOM = 32;
    private static final int MAX_NAME = 255;

    ClientHello {
        protocols = List.copyOf(protocols);
    }

    /**
     * Parses the body of a ClientHello, without the four bytes of its header. Strict: all lengths must agree.
     *
     * @return null if it is malformed
     */
    static @Nullable ClientHello parse(ByteBuffer body) {
        try {
            Parser parser = new Parser();
            return parser.hello(body.duplicate()) ? new ClientHello(parser.serverName, parser.protocols) : null;
        } catch (BufferUnderflowException tooShort) {
            return null;
        }
    }

    /** Each method returns false if the input is invalid, and throws if a length exceeds the input. */
    private static final class Parser {

        private @Nullable String serverName;
        private final List<String> protocols = new ArrayList<>();
        private boolean namesSeen;
        private boolean protocolsSeen;

        boolean hello(ByteBuffer in) {
            in.getShort(); // legacy_version: checked by the engine
            vector(in, RANDOM);
            if (vector8(in).remaining() > 32) {
                return false;
            }
            int ciphers = vector16(in).remaining();
            boolean valid = ciphers >= 2 && ciphers % 2 == 0 && vector8(in).hasRemaining();
            if (!valid || !in.hasRemaining()) {
                return valid; // an old client without extensions
            }
            ByteBuffer extensions = vector16(in);
            return !in.hasRemaining() && extensions(extensions);
        }

        private boolean extensions(ByteBuffer in) {
            while (in.hasRemaining()) {
                int type = in.getShort() & 0xffff;
                ByteBuffer content = vector16(in);
                boolean valid = switch (type) {
                    case SERVER_NAME -> serverNames(content);
                    case ALPN -> protocols(content);
                    default -> true;
                };
                if (!valid) {
                    return false;
                }
            }
            return true;
        }

        /**
         * At most one name of each type is allowed. Only the type of host names was ever defined; others are skipped (RFC 6066,
         * 3).
         */
        private boolean serverNames(ByteBuffer content) {
            ByteBuffer names = vector16(content);
            if (namesSeen || content.hasRemaining() || !names.hasRemaining()) {
                return false;
            }
            namesSeen = true;
            while (names.hasRemaining()) {
                boolean isHost = names.get() == HOST_NAME;
                ByteBuffer name = vector16(names);
                if (isHost) {
                    if (serverName != null) {
                        return false;
                    }
                    serverName = hostName(name);
                    if (serverName == null) {
                        return false;
                    }
                }
            }
            return true;
        }

        private boolean protocols(ByteBuffer content) {
            ByteBuffer names = vector16(content);
            if (protocolsSeen || content.hasRemaining() || !names.hasRemaining()) {
                return false;
            }
            protocolsSeen = true;
            while (names.hasRemaining()) {
                ByteBuffer name = vector8(names);
                if (!name.hasRemaining()) {
                    return false;
                }
                protocols.add(StandardCharsets.ISO_8859_1.decode(name).toString());
            }
            return true;
        }

        /** Null if it is invalid: the name will be looked up, logged, and compared to a Host field. */
        private static @Nullable String hostName(ByteBuffer bytes) {
            String name = StandardCharsets.ISO_8859_1.decode(bytes).toString().toLowerCase(Locale.ROOT);
            boolean valid = !name.isEmpty() && name.length() <= MAX_NAME && name.charAt(0) != '.';
            for (int i = 0; valid && i < name.length(); i++) {
                char c = name.charAt(i);
                valid = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
            }
            return valid ? name : null;
        }

        private static ByteBuffer vector8(ByteBuffer in) {
            return vector(in, in.get() & 0xff);
        }

        private static ByteBuffer vector16(ByteBuffer in) {
            return vector(in, in.getShort() & 0xffff);
        }

        private static ByteBuffer vector(ByteBuffer in, int length) {
            if (length > in.remaining()) {
                throw new BufferUnderflowException();
            }
            ByteBuffer vector = in.slice(in.position(), length);
            in.position(in.position() + length);
            return vector;
        }
    }
}
