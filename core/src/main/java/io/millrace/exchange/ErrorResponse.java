package io.millrace.exchange;

import io.millrace.http.ResponseHead;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import org.jspecify.annotations.Nullable;

/** Replaces an uncommitted response with an error response. */
final class ErrorResponse {

    private final Exchange exchange;
    private final ExchangeOutput output;
    private final ErrorResponder responder;

    ErrorResponse(Exchange exchange, ExchangeOutput output, ErrorResponder responder) {
        this.exchange = exchange;
        this.output = output;
        this.responder = responder;
    }

    void send(int status, @Nullable Throwable failure) {
        output.drop();
        clear(status);
        Payload body = body(status, failure);
        exchange.response().contentLength(body.remaining());
        output.write(body, true, Completion.IGNORE);
    }

    private Payload body(int status, @Nullable Throwable failure) {
        try {
            return responder.body(exchange, status, failure);
        } catch (RuntimeException | Error broken) {
            ExchangeLog.LOG.errorResponseFailed(exchange.request().method(), exchange.printablePath(), broken);
            clear(status);
            return Payload.NOTHING;
        }
    }

    private void clear(int status) {
        ResponseHead head = exchange.response();
        head.headers().clear();
        head.status(status).reason(null).contentLength(-1);
    }
}
