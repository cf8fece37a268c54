package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientSession;
import io.millrace.client.SessionPool;
import io.millrace.io.ConnectionInfo;
import java.nio.ByteBuffer;

/**
 * Receives the events of a backend's pool for a {@link ProxiedRequest}. Anything thrown, including Errors, ends the exchange, which
 * would otherwise stay suspended.
 */
final class RelayCalls implements SessionPool.Waiter {

    private final ProxiedRequest relay;

    RelayCalls(ProxiedRequest relay) {
        this.relay = relay;
    }

    @Override
    public void onSession(ClientSession session) {
        try {
            relay.send(session);
        } catch (Throwable thrown) {
            try {
                relay.crash(thrown);
            } finally {
                session.close(thrown);
            }
        }
    }

    @Override
    public ConnectionInfo client() {
        return relay.client();
    }

    @Override
    public ByteBuffer preface() {
        return relay.preface();
    }

    @Override
    public void onFailed(ClientException failure) {
        try {
            relay.fail(failure, true);
        } catch (Throwable thrown) {
            relay.crash(thrown);
        }
    }
}
