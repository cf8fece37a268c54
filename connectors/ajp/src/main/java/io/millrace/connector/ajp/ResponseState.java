package io.millrace.connector.ajp;

import org.jspecify.annotations.Nullable;

/**
 * The state of a response, which determines the packets that the server may send next. Confined to the reader.
 *
 * <pre>
 * from   packet           to
 * PONG   CPONG            HEAD    the connection works: the request is sent
 * HEAD   GET_BODY_CHUNK   HEAD
 * HEAD   SEND_HEADERS     BODY
 * BODY   SEND_BODY_CHUNK  BODY
 * BODY   GET_BODY_CHUNK   BODY
 * BODY   END_RESPONSE     WHOLE
 * </pre>
 *
 * All other packets are rejected (null): their meaning, or the request that they belong to, is unknown.
 */
enum ResponseState {
    PONG,
    HEAD,
    BODY,
    WHOLE;

    /**
     * The state after a packet; null if it is rejected.
     *
     * @param type one of {@link Codes}
     */
    static @Nullable ResponseState next(ResponseState from, int type) {
        return switch (from) {
            case PONG -> type == Codes.CPONG ? HEAD : null;
            case HEAD -> type == Codes.GET_BODY_CHUNK ? HEAD : type == Codes.SEND_HEADERS ? BODY : null;
            case BODY ->
                type == Codes.SEND_BODY_CHUNK || type == Codes.GET_BODY_CHUNK
                        ? BODY
                        : type == Codes.END_RESPONSE ? WHOLE : null;
            case WHOLE -> null;
        };
    }
}
