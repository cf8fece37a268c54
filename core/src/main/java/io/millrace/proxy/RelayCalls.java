package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionPool;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import java.nio.ByteBuffer;

/**
 * Receives the events of a backend's pool and connection for a {@link Relay}. Anything thrown, including Errors, ends the exchange, which
 * would otherwise stay suspended.
 */
final class RelayCalls implements SessionPool.Waiter, ResponseListener {

    private final Relay relay;

    RelayCalls(Relay relay) {
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
    public ByteBuffer preface() {
        return relay.preface();
    }

    @Override
    public void onHeadSent(ClientStream started) {
        try {
            relay.sent(started);
        } catch (Throwable thrown) {
            relay.crash(thrown);
        }
    }

    @Override
    public void onFailed(ClientException failure) {
        try {
            relay.fail(failure);
        } catch (Throwable thrown) {
            relay.crash(thrown);
        }
    }

    @Override
    public void onInform(int status, Headers fields) {
        try {
            relay.inform(status, fields);
        } catch (Throwable thrown) {
            relay.crash(thrown);
        }
    }

    @Override
    public void onHead(ClientStream answered, ResponseHead response) {
        try {
            relay.take(answered, response);
        } catch (Throwable thrown) {
            relay.crash(thrown);
        }
    }
}
