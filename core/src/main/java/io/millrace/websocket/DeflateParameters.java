package io.millrace.websocket;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The negotiated parameters of permessage-deflate (RFC 7692, 7.1). Windows have 15 bits, because the JDK supports no other
 * size: an offer that requires a smaller window of the server is declined.
 *
 * @param serverTakeover whether the server's messages may refer to earlier ones
 * @param clientTakeover whether the client's messages may
 */
record DeflateParameters(boolean serverTakeover, boolean clientTakeover) {

    /** The default; shared. */
    static final DeflateParameters WITHOUT_TAKEOVER = new DeflateParameters(false, false);

    static final String NAME = "permessage-deflate";

    private static final String SERVER_NO_TAKEOVER = "server_no_context_takeover";
    private static final String CLIENT_NO_TAKEOVER = "client_no_context_takeover";
    private static final String SERVER_BITS = "server_max_window_bits";
    private static final String CLIENT_BITS = "client_max_window_bits";
    private static final String MAX_BITS = "15";
    private static final Set<String> NO_TAKEOVER = Set.of(SERVER_NO_TAKEOVER, CLIENT_NO_TAKEOVER);

    /**
     * Drafts of this extension. The client that still offers them is Netty's, which fails a handshake if the response has a
     * parameter that it has not offered, although a server may add one (RFC 7692, 7.1.1).
     */
    private static final Set<String> OBSOLETE = Set.of("deflate-frame", "x-webkit-deflate-frame");

    /** The server's choice: the first acceptable offer of the client; null for no compression. */
    static @Nullable DeflateParameters choose(List<WebSocketExtension> offers, DeflateMode mode) {
        if (mode == DeflateMode.OFF) {
            return null;
        }
        boolean strict = offers.stream().anyMatch(offer -> OBSOLETE.contains(offer.name()));
        for (WebSocketExtension offer : offers) {
            if (offer.name().equals(NAME) && isAcceptable(offer.parameters())) {
                if (mode == DeflateMode.NO_CONTEXT_TAKEOVER) {
                    return strict && !offer.parameters().keySet().containsAll(NO_TAKEOVER) ? null : WITHOUT_TAKEOVER;
                }
                return new DeflateParameters(
                        !offer.parameters().containsKey(SERVER_NO_TAKEOVER),
                        !offer.parameters().containsKey(CLIENT_NO_TAKEOVER));
            }
        }
        return null;
    }

    private static boolean isAcceptable(Map<String, String> offer) {
        return offer.entrySet().stream().allMatch(parameter -> isAcceptable(parameter.getKey(), parameter.getValue()));
    }

    private static boolean isAcceptable(String name, String value) {
        return switch (name) {
            case SERVER_NO_TAKEOVER, CLIENT_NO_TAKEOVER -> value.isEmpty();
            case SERVER_BITS -> value.equals(MAX_BITS);
            case CLIENT_BITS -> value.isEmpty() || isBits(value);
            default -> false;
        };
    }

    /** 8 to 15, without leading zeros (RFC 7692, 7.1.2). */
    private static boolean isBits(String value) {
        return value.equals("8")
                || value.equals("9")
                || value.length() == 2 && value.charAt(0) == '1' && value.charAt(1) >= '0' && value.charAt(1) <= '5';
    }

    /** A client's offer. */
    static @Nullable WebSocketExtension offer(DeflateMode mode) {
        return switch (mode) {
            case OFF -> null;
            case NO_CONTEXT_TAKEOVER -> WITHOUT_TAKEOVER.extension();
            case CONTEXT_TAKEOVER -> new DeflateParameters(true, true).extension();
        };
    }

    /**
     * Parses the server's response to {@link #offer}.
     *
     * @return null if it does not match the offer: the client must then fail the connection (RFC 7692, 7.1)
     */
    static @Nullable DeflateParameters agreed(WebSocketExtension answer, DeflateMode offered) {
        Map<String, String> parameters = answer.parameters();
        boolean server = !parameters.containsKey(SERVER_NO_TAKEOVER);
        boolean wrong = offered == DeflateMode.OFF
                || !answer.name().equals(NAME)
                || parameters.containsKey(CLIENT_BITS) // never offered
                || parameters.entrySet().stream().anyMatch(p -> !isAnswer(p.getKey(), p.getValue()))
                || server && offered == DeflateMode.NO_CONTEXT_TAKEOVER;
        boolean client = offered == DeflateMode.CONTEXT_TAKEOVER && !parameters.containsKey(CLIENT_NO_TAKEOVER);
        return wrong ? null : new DeflateParameters(server, client);
    }

    /** The server may announce a smaller window of its own: ours can decompress that, too. */
    private static boolean isAnswer(String name, String value) {
        return name.equals(SERVER_BITS) ? isBits(value) : isAcceptable(name, value);
    }

    /** The notation of the handshake. */
    WebSocketExtension extension() {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (!serverTakeover) {
            parameters.put(SERVER_NO_TAKEOVER, "");
        }
        if (!clientTakeover) {
            parameters.put(CLIENT_NO_TAKEOVER, "");
        }
        return new WebSocketExtension(NAME, parameters);
    }

    boolean sendsWithTakeover(WebSocketRole role) {
        return role == WebSocketRole.SERVER ? serverTakeover : clientTakeover;
    }

    boolean receivesWithTakeover(WebSocketRole role) {
        return role == WebSocketRole.SERVER ? clientTakeover : serverTakeover;
    }
}
