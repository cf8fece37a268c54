package io.millrace.connector.ajp;

import io.millrace.protocol.RequestAssembly;

/** The header fields of a request's packet, some of whose names are codes. */
final class HeaderFields {

    private HeaderFields() {}

    /** Reads all of them, even if they are to be refused: what follows is needed to know who asks. */
    static void read(PacketFields in, RequestAssembly request) throws BadPacketException {
        int count = in.number();
        for (int i = 0; i < count; i++) {
            String name = name(in);
            request.field(name, in.textOrEmpty());
        }
    }

    private static String name(PacketFields in) throws BadPacketException {
        int length = in.number();
        if ((length & 0xff00) != Codes.CODED) {
            String name = in.text(length);
            return name == null ? "" : name;
        }
        String name = Codes.requestField(length & 0xff);
        if (name == null) {
            throw new BadPacketException(Defect.FIELD);
        }
        return name;
    }
}
