package io.millrace.connector.ajp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The numbers of AJP 1.3 (the Apache Tomcat Connectors' reference, "AJPv13"). */
final class Codes {

    /** The first two octets of packets to a server. */
    static final int TO_SERVER = 0x1234;

    /** The first two octets of packets from a server: "AB". */
    static final int FROM_SERVER = 0x4142;

    /** The length of a packet's prefix: the two octets above, and the payload's length. */
    static final int PREFIX = 4;

    static final int FORWARD_REQUEST = 2;
    static final int SEND_BODY_CHUNK = 3;
    static final int SEND_HEADERS = 4;
    static final int END_RESPONSE = 5;
    static final int GET_BODY_CHUNK = 6;
    static final int CPONG = 9;
    static final int CPING = 10;

    /** Instead of a string's length: the string is null. */
    static final int NO_STRING = 0xffff;

    /** Instead of a field name's length: the lower octet is the name's code. */
    static final int CODED = 0xa000;

    /** Instead of a method's code: the method is an attribute. */
    static final int STORED_METHOD = 0xff;

    private static final List<String> METHODS = List.of(
            "OPTIONS",
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "DELETE",
            "TRACE",
            "PROPFIND",
            "PROPPATCH",
            "MKCOL",
            "COPY",
            "MOVE",
            "LOCK",
            "UNLOCK",
            "ACL",
            "REPORT",
            "VERSION-CONTROL",
            "CHECKIN",
            "CHECKOUT",
            "UNCHECKOUT",
            "SEARCH",
            "MKWORKSPACE",
            "UPDATE",
            "LABEL",
            "MERGE",
            "BASELINE-CONTROL",
            "MKACTIVITY");

    private static final List<String> REQUEST_FIELDS = List.of(
            "accept",
            "accept-charset",
            "accept-encoding",
            "accept-language",
            "authorization",
            "connection",
            "content-type",
            "content-length",
            "cookie",
            "cookie2",
            "host",
            "pragma",
            "referer",
            "user-agent");

    private static final List<String> RESPONSE_FIELDS = List.of(
            "Content-Type",
            "Content-Language",
            "Content-Length",
            "Date",
            "Last-Modified",
            "Location",
            "Set-Cookie",
            "Set-Cookie2",
            "Servlet-Engine",
            "Status",
            "WWW-Authenticate");

    private Codes() {}

    /** Null if the code is unknown. */
    static @Nullable String method(int code) {
        return named(METHODS, code);
    }

    /** Null if the code is unknown. */
    static @Nullable String requestField(int code) {
        return named(REQUEST_FIELDS, code);
    }

    /** Null if the code is unknown. */
    static @Nullable String responseField(int code) {
        return named(RESPONSE_FIELDS, code);
    }

    /** {@link #STORED_METHOD} if it has no code. */
    static int codeOfMethod(String method) {
        int index = METHODS.indexOf(method);
        return index < 0 ? STORED_METHOD : index + 1;
    }

    /** Including {@link #CODED}; 0 if the field has no code. */
    static int codeOfRequestField(String name) {
        return coded(REQUEST_FIELDS, name);
    }

    /** Including {@link #CODED}; 0 if the field has no code. */
    static int codeOfResponseField(String name) {
        return coded(RESPONSE_FIELDS, name);
    }

    private static int coded(List<String> names, String name) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                return CODED + i + 1;
            }
        }
        return 0;
    }

    private static @Nullable String named(List<String> names, int code) {
        return code >= 1 && code <= names.size() ? names.get(code - 1) : null;
    }
}
