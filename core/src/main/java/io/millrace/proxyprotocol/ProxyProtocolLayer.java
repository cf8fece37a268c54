package io.millrace.proxyprotocol;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionLayer;
import io.millrace.settings.Settings;
import java.util.function.Consumer;

/**
 * Reads the header with which a trusted front end begins a connection; above it the connection's addresses are the
 * client's. Whoever is not trusted is either closed or passed on as he is, before a byte of his is looked at.
 */
public final class ProxyProtocolLayer implements ConnectionLayer {

    private final Settings settings;
    private final ProxyHeaderLog log = new ProxyHeaderLog();

    /** The layer of a connector with these settings, where {@link ProxyProtocol} is on. */
    public ProxyProtocolLayer(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void open(Connection below, Consumer<Connection> onReady) {
        boolean trusted = settings.get(ProxyProtocol.TRUSTED)
                .contains(below.channel().info().remote());
        if (trusted) {
            new HeaderReceipt(settings, log, below, onReady).begin();
        } else if (ProxyProtocol.isRequired(settings)) {
            new HeaderReceipt(settings, log, below, onReady).turnAway();
        } else {
            onReady.accept(below);
        }
    }
}
