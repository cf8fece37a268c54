package io.millrace.websocket.jsr;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.websocket.CloseReason;

/** An endpoint's calls, with a wait for the first: connectToServer returns after onOpen. */
public final class OpeningCalls implements EndpointRuntime.EndpointCalls {

    /** An action that is run right before onOpen, on its thread. */
    public interface Before {
        /** Runs the action. An exception is handled as an error of the endpoint. */
        void run() throws Exception;
    }

    private final EndpointRuntime.EndpointCalls endpoint;
    private final Before before;
    private final CountDownLatch opened = new CountDownLatch(1);

    /** The calls of this endpoint. */
    public OpeningCalls(EndpointRuntime.EndpointCalls endpoint, Before before) {
        this.endpoint = endpoint;
        this.before = before;
    }

    /** Waits for the end of the first call, or of the session. */
    public void await() throws InterruptedException {
        opened.await();
    }

    @Override
    public void open(JsrSession session) throws Throwable {
        try {
            before.run();
            endpoint.open(session);
        } finally {
            opened.countDown();
        }
    }

    @Override
    public void close(JsrSession session, CloseReason reason) throws Throwable {
        opened.countDown();
        endpoint.close(session, reason);
    }

    @Override
    public boolean error(JsrSession session, Throwable failure) throws Throwable {
        return endpoint.error(session, failure);
    }

    @Override
    public List<MessageReceivers.Receiver> receivers() {
        return endpoint.receivers();
    }
}
