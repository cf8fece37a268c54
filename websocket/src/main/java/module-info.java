/** The Java API for WebSocket (JSR 356), over core's connections. */
module io.millrace.websocket {
    requires io.millrace.servlet;
    requires transitive javax.servlet.api;
    requires transitive javax.websocket.api;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    exports io.millrace.websocket.jsr.server;
    exports org.apache.tomcat.websocket.server;

    provides javax.websocket.ContainerProvider with
            io.millrace.websocket.jsr.client.ClientContainerProvider;
    provides javax.servlet.ServletContainerInitializer with
            io.millrace.websocket.jsr.server.WebSocketInitializer;
    provides javax.websocket.server.ServerEndpointConfig.Configurator with
            org.apache.tomcat.websocket.server.DefaultServerEndpointConfigurator;
}
