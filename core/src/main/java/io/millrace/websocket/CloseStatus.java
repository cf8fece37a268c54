package io.millrace.websocket;

import java.nio.charset.StandardCharsets;

/**
 * The reason for closing a connection (RFC 6455, 7.1.5, 7.1.6).
 *
 * @param code a code of RFC 6455, 7.4
 * @param reason a readable text of at most 123 bytes in UTF-8; possibly empty
 */
public record CloseStatus(int code, String reason) {

    /** The maximum length of a reason in bytes: a control frame has 125, two of which are for the code (RFC 6455, 5.5). */
    public static final int MAX_REASON = 123;

    /** Normal closure. */
    public static final CloseStatus NORMAL = new CloseStatus(1000, "");

    /** The server is shutting down, or a browser leaves the page. */
    public static final CloseStatus GOING_AWAY = new CloseStatus(1001, "");

    /** Reported for a close frame without a code. Never sent. */
    public static final CloseStatus NO_CODE = new CloseStatus(1005, "");

    /** Reported if the connection ended without a close frame. Never sent. */
    public static final CloseStatus ABNORMAL = new CloseStatus(1006, "");

    static final int PROTOCOL_ERROR = 1002;
    static final int NOT_UTF_8 = 1007;
    static final int POLICY = 1008;
    static final int TOO_BIG = 1009;
    static final int INTERNAL_ERROR = 1011;

    /** The status of a closed connection, with a code from 1000 to 4999. */
    public CloseStatus {
        if (code < 1000 || code > 4999) {
            throw new IllegalArgumentException(
                    "the close code is " + code + "; expected 1000 to 4999 (RFC 6455, 7.4.2)");
        }
    }

    /**
     * Whether a close frame may contain this code: those defined by RFC 6455 and by IANA's registry, and 3000 to 4999
     * (RFC 6455, 7.4.2).
     */
    public static boolean isSendable(int code) {
        return code >= 1000 && code <= 1003 || code >= 1007 && code <= 1014 || code >= 3000 && code <= 4999;
    }

    /** The status with its reason truncated to the maximum length. */
    CloseStatus fitting() {
        String fits = reason;
        while (fits.getBytes(StandardCharsets.UTF_8).length > MAX_REASON) {
            int end = Math.min(fits.length() - 1, MAX_REASON);
            fits = fits.substring(0, Character.isHighSurrogate(fits.charAt(end - 1)) ? end - 1 : end);
        }
        return fits.length() == reason.length() ? this : new CloseStatus(code, fits);
    }

    @Override
    public String toString() {
        return reason.isEmpty() ? Integer.toString(code) : code + " " + reason;
    }
}
