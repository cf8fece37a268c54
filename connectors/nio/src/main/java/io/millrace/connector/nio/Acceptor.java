package io.millrace.connector.nio;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Consumer;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/** The listening socket. XNIO accepts on a thread of its own and hands each connection to its I/O thread. */
final class Acceptor {

    private final AcceptingChannel<StreamConnection> server;

    /**
     * Binds and starts accepting.
     *
     * @param onAccept called on the connection's I/O thread
     */
    Acceptor(XnioWorker worker, SocketAddress address, TransportOptions options, Consumer<StreamConnection> onAccept)
            throws IOException {
        if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            throw new IOException("cannot listen on " + address + ": not an address of this machine");
        }
        if (options.soLinger() > 0) {
            NioLog.LOG.lingerUnsupported(options.name(), options.soLinger());
        }
        boolean abort = options.soLinger() == 0;
        try {
            server = worker.createStreamConnectionServer(
                    inet, channel -> acceptAll(channel, abort, onAccept), xnioOptions(options));
        } catch (IOException refused) {
            BindException clear = new BindException("cannot listen on " + address + ": " + refused.getMessage());
            clear.initCause(refused);
            throw clear;
        }
        server.resumeAccepts();
    }

    private static OptionMap xnioOptions(TransportOptions options) {
        OptionMap.Builder map = OptionMap.builder()
                .set(Options.BACKLOG, options.acceptCount())
                .set(Options.TCP_NODELAY, options.tcpNoDelay())
                .set(Options.KEEP_ALIVE, options.soKeepAlive())
                .set(Options.REUSE_ADDRESSES, options.soReuseAddress());
        if (options.sendBuffer() > 0) {
            map.set(Options.SEND_BUFFER, options.sendBuffer());
        }
        if (options.receiveBuffer() > 0) {
            map.set(Options.RECEIVE_BUFFER, options.receiveBuffer());
        }
        if (options.maxConnections() > 0) {
            map.set(Options.CONNECTION_HIGH_WATER, options.maxConnections())
                    .set(Options.CONNECTION_LOW_WATER, options.maxConnections());
        }
        return map.getMap();
    }

    private static void acceptAll(
            AcceptingChannel<StreamConnection> channel, boolean abort, Consumer<StreamConnection> onAccept) {
        try {
            for (StreamConnection next = channel.accept(); next != null; next = channel.accept()) {
                if (abort) {
                    next.setOption(Options.CLOSE_ABORT, true);
                }
                onAccept.accept(next);
            }
        } catch (IOException closed) {
            // the listening socket was closed and its queue is empty
        }
    }

    SocketAddress localAddress() {
        return server.getLocalAddress();
    }

    void pause() {
        server.suspendAccepts();
    }

    void resume() {
        server.resumeAccepts();
    }

    void close() {
        IoUtils.safeClose(server);
    }
}
