package io.millrace.standalone;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports for programs that cannot choose one themselves. */
final class LocalPort {

    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;

    private static final AtomicInteger next =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private LocalPort() {}

    /**
     * One that nobody has now, nor is likely to get before it is used: another each time, and none of those that Linux
     * gives to clients, and to servers that leave the choice to it.
     */
    static int free() throws IOException {
        while (true) {
            int port = FIRST + Math.floorMod(next.getAndIncrement(), COUNT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // the next one then
            }
        }
    }

    /** Does anybody listen on it? */
    static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }
}
