package io.millrace.connector.ajp;

/** What makes a packet none, or come when it must not: its connection is closed, for nobody knows where the next begins. */
enum Defect {
    MAGIC("a packet that does not begin with 0x1234; expected AJP 1.3: is it HTTP, or a client that is no front end?"),
    TOO_LONG("a packet longer than packetSize; expected the front end to be set to the same size or less"),
    EMPTY("a packet without a type; expected FORWARD_REQUEST or CPING"),
    TYPE("a packet of an unknown type, or of one that only a server sends; expected FORWARD_REQUEST or CPING"),
    CUT_OFF("a packet that ends before its last field does"),
    STRING("a string longer than its packet, without its end, or with a zero octet in it"),
    LEFT_OVER("octets behind the last field of a packet"),
    METHOD("an unknown code of a method"),
    FIELD("an unknown code of a header field"),
    ATTRIBUTE("an unknown code of an attribute"),
    BODY_LENGTH("a body packet whose data are longer or shorter than the packet"),
    BODY_TOO_LONG("more of a body than was announced or asked for"),
    PING_FLOOD("thousands of CPINGs whose answers nobody takes"),
    TOO_SLOW("a packet whose rest did not come in time"),

    // of servers
    NO_SERVER("a packet that does not begin with \"AB\"; expected AJP 1.3: is it the port of an AJP connector?"),
    NO_TYPE("a packet without a type"),
    ORDER("a packet of an unknown type, or one that must not come now"),
    STATUS("a status that is none of a final response"),
    TOO_MANY_FIELDS("more header fields than maxHeaderCount"),
    FIELD_SYNTAX("a header field whose name is no token or whose value has control characters"),
    RESPONSE_LENGTH("a Content-Length that is no number, several, or one where no body can be"),
    CHUNK_LENGTH("a body packet whose data are longer or shorter than the packet"),
    RESPONSE_TOO_LONG("more of a body than was announced, or one where there is none"),
    RESPONSE_TOO_SHORT("less of a body than was announced"),
    ASKED_TWICE(
            "a question for more of the request's body before the last one was answered, or for nothing, or behind its end");

    private final String found;

    Defect(String found) {
        this.found = found;
    }

    /** What was found, for the operator. */
    String found() {
        return found;
    }
}
