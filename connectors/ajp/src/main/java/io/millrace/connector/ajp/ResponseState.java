package io.millrace.connector.ajp;

import org.jspecify.annotations.Nullable;

/**
 * Which packet of a server comes next. Confined to whoever reads them.
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
 * Any other is refused (null): nobody knows what the server means, or which request it answers.
 */
enum ResponseState {
    PONG,
    HEAD,
    BODY,
    WHOLE;

    /**
     * Where a packet leads; null if it is refused.
     *
     * @param type of the {@link Codes}
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
