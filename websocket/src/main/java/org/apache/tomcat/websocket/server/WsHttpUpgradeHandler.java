package org.apache.tomcat.websocket.server;

/** A marker: if a class of this name exists, Spring uses the {@link WsServerContainer}. It has no instances. */
public final class WsHttpUpgradeHandler {

    private WsHttpUpgradeHandler() {}
}
