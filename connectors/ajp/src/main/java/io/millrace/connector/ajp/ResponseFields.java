package io.millrace.connector.ajp;

import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import java.util.List;

/** Parses a SEND_HEADERS packet. */
final class ResponseFields {

    private static final int MIN_STATUS = 200;
    private static final int MAX_STATUS = 999;
    private static final int MAX_DIGITS = 18;

    private ResponseFields() {}

    /**
     * The head of a response. Content-Length is removed from its fields, and set as its length.
     *
     * @param maxFields the most fields that are accepted
     */
    static ResponseHead read(PacketFields in, int maxFields) throws BadPacketException {
        int status = in.number();
        if (status < MIN_STATUS || status > MAX_STATUS) {
            throw new BadPacketException(Defect.STATUS);
        }
        String reason = in.textOrEmpty();
        ResponseHead head = new ResponseHead().status(status);
        if (!reason.isEmpty() && FieldSyntax.isValue(reason)) {
            head.reason(reason);
        }
        fields(in, maxFields, head.headers());
        if (!in.isAtEnd()) {
            throw new BadPacketException(Defect.LEFT_OVER);
        }
        long length = length(head.headers());
        head.contentLength(
                status == Status.NO_CONTENT && length > 0
                        ? -1
                        : length); // no body whatever the field says (RFC 9110, 8.6)
        head.headers().remove("Content-Length").remove("Transfer-Encoding"); // the packets are the framing
        return head;
    }

    private static void fields(PacketFields in, int maxFields, Headers to) throws BadPacketException {
        int count = in.number();
        if (count > maxFields) {
            throw new BadPacketException(Defect.TOO_MANY_FIELDS);
        }
        for (int i = 0; i < count; i++) {
            String name = HeaderFields.name(in, Codes::responseField);
            String value = in.textOrEmpty();
            if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
                throw new BadPacketException(Defect.FIELD_SYNTAX);
            }
            to.add(name, value);
        }
    }

    /** -1 if there is none. */
    private static long length(Headers fields) throws BadPacketException {
        List<String> lengths = fields.all("Content-Length");
        if (lengths.isEmpty()) {
            return -1;
        }
        String digits = lengths.get(0);
        boolean valid = lengths.size() == 1
                && !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!valid) {
            throw new BadPacketException(Defect.RESPONSE_LENGTH);
        }
        return Long.parseLong(digits);
    }
}
