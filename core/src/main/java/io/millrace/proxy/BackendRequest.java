package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.exchange.RequestId;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * One request to a backend. Each attempt of a {@link ProxiedRequest} has its own: a notification that arrives late, when the next backend already
 * has the request, must not be taken for one of the next attempt. Anything thrown, including Errors, ends the exchange, which would
 * otherwise stay suspended.
 */
final class BackendRequest implements ResponseListener {

    private final ProxiedRequest relay;
    private final BodyStart body;
    private volatile @Nullable ClientStream stream;

    BackendRequest(ProxiedRequest relay, BodyStart body) {
        this.relay = relay;
        this.body = body;
    }

    BodyStart body() {
        return body;
    }

    /** The stream: set when start returns, or by its first event, whichever is first; null until then. */
    @Nullable
    ClientStream stream() {
        return stream;
    }

    void stream(ClientStream started) {
        stream = started;
    }

    @Override
    public void onHeadSent(ClientStream started) {
        guarded(() -> relay.sent(this, started));
    }

    @Override
    public void onInform(int status, Headers fields) {
        guarded(() -> relay.inform(this, status, fields));
    }

    @Override
    public void onHead(ClientStream answered, ResponseHead response) {
        guarded(() -> relay.take(this, answered, response));
    }

    @Override
    public void onFailed(ClientException failure) {
        guarded(() -> relay.fail(failure, body.cancel()));
    }

    /** Log lines of a backend's connection are those of the request. */
    private void guarded(Runnable event) {
        RequestId before = RequestId.enter(relay.requestId());
        try {
            event.run();
        } catch (Throwable thrown) {
            relay.crash(thrown);
        } finally {
            RequestId.enter(before);
        }
    }
}
