package io.millrace.testkit;

import io.millrace.http.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Builds AJP 1.3 packets of a front end field by field, valid or invalid. */
public final class AjpPacket {

    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();

    /** A packet of this type. */
    public static AjpPacket ofType(int type) {
        return new AjpPacket().octet(type);
    }

    /** CPING. */
    public static byte[] ping() {
        return ofType(10).bytes();
    }

    /** A FORWARD_REQUEST from the loopback address, up to its attributes; to be completed with attributes and {@link #end}. */
    public static AjpPacket request(int method, String protocol, String uri, Headers headers) {
        AjpPacket packet = ofType(2)
                .octet(method)
                .text(protocol)
                .text(uri)
                .text("192.0.2.7")
                .text("client.example")
                .text("www.example")
                .number(80)
                .octet(0)
                .number(headers.size());
        for (int i = 0; i < headers.size(); i++) {
            packet.text(headers.name(i)).text(headers.value(i));
        }
        return packet;
    }

    /** A body packet with these bytes; an empty one ends a body. */
    public static byte[] body(byte[] bytes, int from, int to) {
        AjpPacket packet = new AjpPacket();
        if (to > from) {
            packet.number(to - from).payload.write(bytes, from, to - from);
        }
        return packet.bytes();
    }

    /** Adds an octet. */
    public AjpPacket octet(int value) {
        payload.write(value);
        return this;
    }

    /** Adds two octets. */
    public AjpPacket number(int value) {
        return octet(value >> 8).octet(value);
    }

    /** Adds a string with its length and terminator. */
    public AjpPacket text(String text) {
        number(text.length()).payload.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
        return octet(0);
    }

    /** Adds an attribute with a string value. */
    public AjpPacket attribute(int code, String value) {
        return octet(code).text(value);
    }

    /** Adds an attribute with a name. */
    public AjpPacket attribute(String name, String value) {
        return octet(0x0a).text(name).text(value);
    }

    /** Ends the attributes. */
    public byte[] end() {
        return octet(0xff).bytes();
    }

    /** The complete packet. */
    public byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int length = payload.size();
        out.writeBytes(new byte[] {0x12, 0x34, (byte) (length >> 8), (byte) length});
        out.writeBytes(payload.toByteArray());
        return out.toByteArray();
    }
}
