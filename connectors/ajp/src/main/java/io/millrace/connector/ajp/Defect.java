package io.millrace.connector.ajp;

/** The defects of malformed or unexpected packets. The connection is closed, because the start of the next packet is unknown. */
enum Defect {
    MAGIC("a packet that does not begin with 0x1234; expected AJP 1.3: is the client an AJP front end?"),
    TOO_LONG("a packet longer than packetSize; the front end must not have a larger packet size"),
    EMPTY("a packet without a type; expected FORWARD_REQUEST or CPING"),
    TYPE("a packet of an unknown type, or of one that only a server sends; expected FORWARD_REQUEST or CPING"),
    CUT_OFF("a packet that ends within a field"),
    STRING("a string that is longer than its packet, not terminated, or contains a zero octet"),
    LEFT_OVER("octets after the last field of a packet"),
    METHOD("an unknown method code"),
    FIELD("an unknown header field code"),
    ATTRIBUTE("an unknown attribute code"),
    BODY_LENGTH("a body packet whose data length does not match its packet length"),
    BODY_TOO_LONG("a body longer than its Content-Length, or than requested"),
    PING_FLOOD("thousands of CPINGs without reading the replies"),
    TOO_SLOW("a packet that was not completed within the timeout"),

    // in packets of servers
    NO_SERVER("a packet that does not begin with \"AB\"; expected AJP 1.3: is it the port of an AJP connector?"),
    NO_TYPE("a packet without a type"),
    ORDER("a packet of an unknown type, or one that is not permitted at this point"),
    STATUS("a status that is not that of a final response"),
    TOO_MANY_FIELDS("more header fields than maxHeaderCount"),
    FIELD_SYNTAX("a header field whose name is not a token or whose value contains control characters"),
    RESPONSE_LENGTH("a Content-Length that is not a number, several, or one for a response without body"),
    CHUNK_LENGTH("a body packet whose data length does not match its packet length"),
    RESPONSE_TOO_LONG("a body longer than its Content-Length, or one for a response without body"),
    RESPONSE_TOO_SHORT("a body shorter than its Content-Length"),
    ASKED_TWICE("a GET_BODY_CHUNK before the previous one was answered, for zero octets, or after the end of the body");

    private final String found;

    Defect(String found) {
        this.found = found;
    }

    /** The cause, for the log. */
    String found() {
        return found;
    }
}
