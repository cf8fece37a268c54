package io.millrace.connector.ajp;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.net.SocketAddress;

/**
 * The client's connection to the front end, as reported by the front end.
 *
 * @param direct the front end's connection to this server
 */
record AjpInfo(ConnectionInfo direct, SocketAddress local, SocketAddress remote, FrontEnd frontEnd)
        implements ConnectionInfo {

    @Override
    public boolean isSecure() {
        return frontEnd.secure();
    }
}
