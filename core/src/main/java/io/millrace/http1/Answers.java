package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.http.Status;
import io.millrace.protocol.RequestFault;
import java.util.EnumMap;
import java.util.Map;

/** Preassembled responses to rejected requests, without the date: rejecting must cost less than serving. Thread-safe. */
final class Answers {

    private static final String END_OF_FIELDS = "\r\n";

    private final Map<RequestFault, byte[]> beforeDate = new EnumMap<>(RequestFault.class);
    private final Map<RequestFault, byte[]> afterDate = new EnumMap<>(RequestFault.class);
    private final DateLine date;

    Answers(DateLine date, String server) {
        this.date = date;
        for (RequestFault refusal : RequestFault.values()) {
            if (refusal.isMalformed()) {
                continue; // only streams can be reset
            }
            String status = refusal.status() + " " + Status.reason(refusal.status());
            String body = status + ": found " + refusal.found() + ".\n";
            String fields = "Content-Type: text/plain;charset=US-ASCII\r\nContent-Length: " + body.length()
                    + "\r\nConnection: close\r\n" + (server.isEmpty() ? "" : "Server: " + server + "\r\n");
            beforeDate.put(refusal, Octets.ascii("HTTP/1.1 " + status + "\r\n" + fields));
            afterDate.put(refusal, Octets.ascii(END_OF_FIELDS + body));
        }
    }

    /**
     * The complete response, which is the last one on its connection. One to HEAD has no body (RFC 9110, 9.3.2).
     *
     * @param more fields of ASCII without control characters
     */
    byte[] to(RequestFault refusal, boolean isHead, Headers more) {
        byte[] before = part(beforeDate, refusal);
        byte[] line = date.bytes();
        byte[] fields = bytes(more);
        byte[] after = part(afterDate, refusal);
        int rest = isHead ? END_OF_FIELDS.length() : after.length;
        byte[] all = new byte[before.length + line.length + fields.length + rest];
        System.arraycopy(before, 0, all, 0, before.length);
        System.arraycopy(line, 0, all, before.length, line.length);
        System.arraycopy(fields, 0, all, before.length + line.length, fields.length);
        System.arraycopy(after, 0, all, before.length + line.length + fields.length, rest);
        return all;
    }

    private static byte[] bytes(Headers fields) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            text.append(fields.name(i)).append(": ").append(fields.value(i)).append(END_OF_FIELDS);
        }
        return Octets.ascii(text.toString());
    }

    private static byte[] part(Map<RequestFault, byte[]> parts, RequestFault refusal) {
        byte[] part = parts.get(refusal);
        if (part == null) {
            throw new IllegalStateException("there is no response for " + refusal);
        }
        return part;
    }
}
