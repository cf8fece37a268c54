package org.apache.tomcat.websocket.server;

/** Exists: Spring takes a server that has a class of this name for one with a {@link WsServerContainer}. */
public final class WsHttpUpgradeHandler {

    private WsHttpUpgradeHandler() {}
}
