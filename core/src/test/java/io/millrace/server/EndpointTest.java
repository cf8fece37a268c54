package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The address of a connector, before it is listened on. */
class EndpointTest {

    private static final String HOST = "127.0.0.1";

    @Test
    void refusesAPortThatIsListenedOn() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint endpoint = new Endpoint(null, null, HOST, taken.getLocalPort());
            assertThrows(IOException.class, endpoint::probe);
        }
    }

    @Test
    void letsNobodyConnectWhileItIsOnlyProbed() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Endpoint endpoint = new Endpoint(null, null, HOST, port);
        AtomicInteger connected = new AtomicInteger();
        Thread client = new Thread(() -> {
            for (int attempts = 0; attempts < 2_000; attempts++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    // Linux may connect a socket to itself
                    connected.addAndGet(socket.getLocalPort() == port ? 0 : 1);
                } catch (IOException refused) {
                    Thread.onSpinWait();
                }
            }
        });
        client.start();
        while (client.isAlive()) {
            probe(endpoint);
        }
        assertEquals(0, connected.get());
    }

    private static void probe(Endpoint endpoint) {
        try {
            endpoint.probe();
        } catch (IOException taken) {
            Thread.onSpinWait(); // by the client itself
        }
    }
}
