package io.millrace.connector.ajp;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.net.SocketAddress;

/**
 * The client's connection with the front end, as the front end tells of it.
 *
 * @param direct the front end's connection with us
 */
record AjpInfo(ConnectionInfo direct, SocketAddress local, SocketAddress remote, FrontEnd frontEnd)
        implements ConnectionInfo {

    @Override
    public boolean isSecure() {
        return frontEnd.secure();
    }
}
