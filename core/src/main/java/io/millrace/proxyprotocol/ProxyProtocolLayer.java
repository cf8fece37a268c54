package io.millrace.proxyprotocol;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionLayer;
import java.util.function.Consumer;

/**
 * Reads the header with which a trusted front end begins a connection; above it the connection's addresses are the
 * client's. Whoever is not trusted is either closed or passed on as he is, before a byte of his is looked at.
 */
public final class ProxyProtocolLayer implements ConnectionLayer {

    private final ProxyProtocol options;
    private final ProxyHeaderLog log = new ProxyHeaderLog();

    /** The layer of one connector. */
    public ProxyProtocolLayer(ProxyProtocol options) {
        this.options = options;
    }

    @Override
    public void open(Connection below, Consumer<Connection> onReady) {
        boolean trusted = options.trusted().contains(below.channel().info().remote());
        if (trusted) {
            new HeaderReceipt(options, log, below, onReady).begin();
        } else if (options.isRequired()) {
            new HeaderReceipt(options, log, below, onReady).turnAway();
        } else {
            onReady.accept(below);
        }
    }
}
