package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Suspension;
import io.millrace.handler.Responses;
import io.millrace.http.Status;
import io.millrace.io.DialException;
import io.millrace.settings.Settings;
import java.time.Duration;

/** What the {@linkplain ProxiedRequest relays} of a proxy share. */
final class Forwarding {

    static final int BAD_GATEWAY = 502;
    static final int GATEWAY_TIMEOUT = 504;

    private final Settings settings;
    private final Balancer balancer;
    private final RetryBudget budget = new RetryBudget();
    private final KeptBodies keptBodies = new KeptBodies();
    private final RetryPolicy retries;
    private final RequestRewrite requests;
    private final ResponseRewrite responses;

    Forwarding(Settings settings, Balancer balancer) {
        this.settings = settings;
        this.balancer = balancer;
        retries = new RetryPolicy(settings.get(ProxyOptions.RETRY_ON));
        requests = new RequestRewrite(settings);
        responses = new ResponseRewrite(settings);
    }

    /** The status of the client's response to a failure. */
    static int status(ClientException failure) {
        return switch (failure.reason()) {
            case REFUSED, TOO_MANY_WAITING, WAITED_TOO_LONG, ABORTED -> Status.SERVICE_UNAVAILABLE;
            case TIMED_OUT -> GATEWAY_TIMEOUT;
            case DIAL ->
                failure.getCause() instanceof DialException dial && dial.reason() == DialException.Reason.TIMED_OUT
                        ? GATEWAY_TIMEOUT
                        : BAD_GATEWAY;
            case TLS, CLOSED, MALFORMED -> BAD_GATEWAY;
            case UNSUPPORTED -> Status.NOT_IMPLEMENTED;
            case INTERNAL -> Status.INTERNAL_SERVER_ERROR;
        };
    }

    /** Responds with an error. Called by the thread that has ended the relay; nothing was sent before. */
    void answer(HttpExchange exchange, Suspension held, int status) {
        try {
            if (status == Status.SERVICE_UNAVAILABLE) {
                exchange.response().headers().set("Retry-After", "1");
            }
            Responses.error(exchange, status);
            held.completeHere();
        } catch (Throwable thrown) {
            held.fail(thrown);
        }
    }

    Balancer balancer() {
        return balancer;
    }

    RetryBudget budget() {
        return budget;
    }

    KeptBodies keptBodies() {
        return keptBodies;
    }

    RequestRewrite requests() {
        return requests;
    }

    ResponseRewrite responses() {
        return responses;
    }

    RetryPolicy retries() {
        return retries;
    }

    int mostRetries() {
        return settings.get(ProxyOptions.RETRIES);
    }

    /** How many bytes of a response may wait for the client. */
    int responseBuffer() {
        return settings.get(ProxyOptions.RESPONSE_BUFFER);
    }

    Duration tunnelTimeout() {
        return settings.get(ProxyOptions.TUNNEL_TIMEOUT);
    }
}
