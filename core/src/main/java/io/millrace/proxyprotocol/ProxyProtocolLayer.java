package io.millrace.proxyprotocol;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionLayer;
import io.millrace.settings.Settings;
import java.util.function.Consumer;

/**
 * Reads the header with which a trusted front end begins a connection; to the layers above, the connection has the client's
 * addresses. A connection of another peer is closed or passed on unchanged, before any of its input is read.
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
            new HeaderReceipt(settings, log, below, onReady).rejectUntrusted();
        } else {
            onReady.accept(below);
        }
    }
}
