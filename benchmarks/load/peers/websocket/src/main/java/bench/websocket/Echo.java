package bench.websocket;

import javax.websocket.OnMessage;
import javax.websocket.server.ServerEndpoint;

/** Sends back what it gets. */
@ServerEndpoint("/ws/echo")
public class Echo {

    @OnMessage
    public String text(String message) {
        return message;
    }

    @OnMessage
    public byte[] binary(byte[] message) {
        return message;
    }
}
