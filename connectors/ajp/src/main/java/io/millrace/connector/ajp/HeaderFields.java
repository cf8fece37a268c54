package io.millrace.connector.ajp;

import io.millrace.protocol.RequestAssembly;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads the header fields of a packet, some of whose names are codes. */
final class HeaderFields {

    private HeaderFields() {}

    /** Reads all fields of a request, even invalid ones, because the attributes after them are needed to authenticate the peer. */
    static void read(PacketFields in, RequestAssembly request) throws BadPacketException {
        int count = in.number();
        for (int i = 0; i < count; i++) {
            String name = name(in, Codes::requestField);
            request.field(name, in.textOrEmpty());
        }
    }

    /** Reads a name or its code. */
    static String name(PacketFields in, IntFunction<@Nullable String> codes) throws BadPacketException {
        int length = in.number();
        if ((length & 0xff00) != Codes.CODED) {
            String name = in.text(length);
            return name == null ? "" : name;
        }
        String name = codes.apply(length & 0xff);
        if (name == null) {
            throw new BadPacketException(Defect.FIELD);
        }
        return name;
    }
}
