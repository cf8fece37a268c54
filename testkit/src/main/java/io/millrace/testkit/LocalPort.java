package io.millrace.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports for programs that cannot choose one themselves. */
public final class LocalPort {

    private static final int FIRST = 20_000;
    private static final int BLOCK = 600;
    private static final int BLOCKS = 20;

    /**
     * A block of ports for this run of tests, as long as it lives: between the choice of a port and the moment in which
     * somebody listens, a run beside it could choose the same.
     */
    private static final FileLock RESERVED = reserve();

    private static final AtomicInteger next = new AtomicInteger();

    private LocalPort() {}

    private static FileLock reserve() {
        Path file = Path.of(
                System.getProperty("java.io.tmpdir", ""), "millrace-test-ports-" + System.getProperty("user.name"));
        try {
            FileChannel locks = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            for (int block = 0; block < BLOCKS; block++) {
                FileLock lock = locks.tryLock(block, 1, false);
                if (lock != null) {
                    return lock;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError(BLOCKS + " runs of tests at once: there are no ports for one more");
    }

    /**
     * One that nobody has now, nor is likely to get before it is used: another each time, and none of those that Linux
     * gives to clients, and to servers that leave the choice to it.
     */
    public static int free() throws IOException {
        int first = FIRST + BLOCK * (int) RESERVED.position();
        while (true) {
            int port = first + Math.floorMod(next.getAndIncrement(), BLOCK);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // the next one then
            }
        }
    }

    /** Whether anybody listens on it. */
    public static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }
}
