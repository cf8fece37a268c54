package io.millrace.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A proxy's backend in a process of its own, which a test kills. Responds to each request with the word of its arguments, in one
 * write, so that killing it truncates no response. Prints its port. Depends on no class except the JDK's.
 */
final class BackendMain {

    private BackendMain() {}

    public static void main(String[] args) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println(server.getLocalPort());
            serve(server, args[0]);
        }
    }

    /** Serves until the socket is closed. */
    static void serve(ServerSocket server, String word) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> answer(socket, word), "backend " + word);
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static void answer(Socket accepted, String word) {
        byte[] response = ("HTTP/1.1 200 OK\r\nContent-Length: " + word.length() + "\r\n\r\n" + word)
                .getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = accepted) {
            while (readHead(socket.getInputStream())) {
                socket.getOutputStream().write(response);
            }
        } catch (IOException broken) {
            return; // the proxy has closed the connection
        }
    }

    private static boolean readHead(InputStream in) throws IOException {
        int matched = 0;
        while (matched < 4) {
            int octet = in.read();
            if (octet < 0) {
                return false;
            }
            matched = octet == "\r\n\r\n".charAt(matched) ? matched + 1 : octet == '\r' ? 1 : 0;
        }
        return true;
    }

    /** Starts a backend. */
    static Process start(String word) throws IOException {
        String java = ProcessHandle.current().info().command().orElse("java");
        String place = BackendMain.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return new ProcessBuilder(
                        java,
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx32m",
                        "-cp",
                        place,
                        BackendMain.class.getName(),
                        word)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
