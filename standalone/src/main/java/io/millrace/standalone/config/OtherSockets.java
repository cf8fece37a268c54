package io.millrace.standalone.config;

import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH;
import static io.millrace.ConnectorOptions.USE_INHERITED_CHANNEL;

/** Connectors that listen on a Unix-domain socket or an inherited socket. */
final class OtherSockets {

    private static final String FILE = UNIX_DOMAIN_SOCKET_PATH.name();
    private static final String INHERITED = USE_INHERITED_CHANNEL.name();

    /** The only transport that supports them. */
    private static final String SUPPORTING = "nio";

    private OtherSockets() {}

    /** Returns whether it listens on a port; reports unsupported and contradictory attributes. */
    static boolean isPort(Values connector, String transport, Problems problems) {
        boolean isFile = connector.isSet(FILE);
        boolean isInherited = connector.flag(INHERITED);
        if (isFile && isInherited) {
            problems.error(
                    connector.line(INHERITED),
                    "Connector has both " + FILE + " and " + INHERITED + "=\"true\"; expected one of them");
        }
        if ((isFile || isInherited) && !transport.equals(SUPPORTING)) {
            String attribute = isFile ? FILE : INHERITED;
            problems.error(
                    connector.line(attribute),
                    attribute + " on Connector: the transport '" + transport
                            + "' listens on ports only; use protocol=\"" + SUPPORTING + "\"");
        }
        return !isFile && !isInherited;
    }
}
