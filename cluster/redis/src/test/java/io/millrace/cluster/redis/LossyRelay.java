package io.millrace.cluster.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP relay to a server of a test, which delays, loses answers with their connection, or is cut. Losing a packet costs a TCP
 * connection a retransmission: some chunks take longer here.
 */
public final class LossyRelay implements AutoCloseable {

    private static final int RETRANSMISSION_MILLIS = 200;
    private static final int DRIP_MILLIS = 50;
    private static final int PERCENT = 100;

    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger answersToLose = new AtomicInteger();
    private volatile boolean cut;
    private volatile long delayNanos;
    private volatile int lossPercent;
    private volatile boolean drips;

    /** A relay that does nothing special yet. */
    public LossyRelay(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        run("relay-accept", this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Lets the next requests pass, but closes their connections instead of passing the answers. */
    public void loseAnswers(int number) {
        answersToLose.set(number);
    }

    /** Delays each chunk, in each direction; a part of them for as long as TCP takes to repeat a lost packet. */
    public void delay(int millis, int percentLost) {
        delayNanos = millis * 1_000_000L;
        lossPercent = percentLost;
    }

    /** Passes answers on byte by byte, twenty a second; or no longer. */
    public void drip(boolean now) {
        drips = now;
    }

    /** Closes all connections, and each new one at once; or no longer. */
    public void cut(boolean now) {
        cut = now;
        if (now) {
            sockets.forEach(LossyRelay::close);
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            if (cut) {
                client.close();
                continue;
            }
            try {
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(server);
                run("relay-requests", () -> copy(client, server, false));
                run("relay-answers", () -> copy(server, client, true));
            } catch (IOException refused) {
                client.close();
            }
        }
    }

    private void copy(Socket from, Socket to, boolean answers) throws IOException {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] chunk = new byte[65_536];
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                if (delayNanos > 0) {
                    boolean lost =
                            java.util.concurrent.ThreadLocalRandom.current().nextInt(PERCENT) < lossPercent;
                    LockSupport.parkNanos(delayNanos + (lost ? RETRANSMISSION_MILLIS * 1_000_000L : 0));
                }
                if (answers && answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    return;
                }
                for (int sent = 0; sent < length; ) {
                    int next = answers && drips ? 1 : length - sent;
                    out.write(chunk, sent, next);
                    sent += next;
                    if (sent < length) {
                        LockSupport.parkNanos(DRIP_MILLIS * 1_000_000L);
                    }
                }
            }
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void run(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException closed) {
                        // ends with its sockets
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        sockets.forEach(LossyRelay::close);
    }
}
