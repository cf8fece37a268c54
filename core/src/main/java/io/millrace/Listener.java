package io.millrace;

import io.millrace.http1.Http1Protocol;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionLayer;
import io.millrace.io.Transport;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.proxyprotocol.ProxyProtocolLayer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A connector at work: a transport that is bound, and the protocol spoken on it. */
final class Listener {

    private final Connector connector;
    private final Transport transport;
    private final Protocol protocol;
    private final List<ConnectionLayer> layers;
    private InetSocketAddress address = new InetSocketAddress(0);

    Listener(Connector connector, Transport transport, Resources resources) {
        this.connector = connector;
        this.transport = transport;
        layers = layers(connector);
        protocol = new Http1Protocol(connector.http1(), connector.scheme(), resources.timers(), resources.workers());
    }

    /** From the socket upwards: who the peer is comes before TLS. */
    private static List<ConnectionLayer> layers(Connector connector) {
        List<ConnectionLayer> layers = new ArrayList<>();
        ProxyProtocol proxyProtocol = connector.proxyProtocol();
        if (proxyProtocol != null) {
            layers.add(new ProxyProtocolLayer(proxyProtocol));
        }
        return List.copyOf(layers);
    }

    /** Fails soon and with nothing done if the address is in use: applications may take minutes to start. */
    void probe() throws IOException {
        InetSocketAddress wanted = wanted();
        if (wanted.getPort() == 0) {
            return;
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(wanted);
        } catch (IOException e) {
            throw new IOException("Can't listen on " + describe(wanted) + ": " + e.getMessage(), e);
        }
    }

    void bind(Dispatcher dispatcher) throws IOException {
        Dispatcher told = ForwardedDispatcher.wrap(dispatcher, connector);
        address = (InetSocketAddress) transport.bind(wanted(), connection -> climb(connection, 0, told));
        Messages.LOG.listening(connector.scheme() + "://" + describe(address), connector.transport());
    }

    InetSocketAddress address() {
        return address;
    }

    CompletionStage<Void> stop(Duration grace) {
        return transport.stop(grace);
    }

    /** Through the layers, from the socket upwards; the protocol stands on the last. */
    private void climb(Connection connection, int height, Dispatcher dispatcher) {
        if (height == layers.size()) {
            open(connection, dispatcher);
        } else {
            layers.get(height).open(connection, above -> climb(above, height + 1, dispatcher));
        }
    }

    private void open(Connection connection, Dispatcher dispatcher) {
        ConnectionHandler handler = protocol.open(connection, null, dispatcher);
        connection.install(handler);
        handler.onReadable();
    }

    private InetSocketAddress wanted() throws UnknownHostException {
        String host = connector.address();
        return host == null
                ? new InetSocketAddress(connector.port())
                : new InetSocketAddress(InetAddress.getByName(host), connector.port());
    }

    static String describe(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        String text = host == null ? address.getHostString() : host.getHostAddress();
        return (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + address.getPort();
    }
}
