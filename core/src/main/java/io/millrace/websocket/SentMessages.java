package io.millrace.websocket;

import io.millrace.log.CoreLog;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The subscriber that sends a publisher's messages: requests one at a time, and none while the send buffer is full. */
final class SentMessages implements Flow.Subscriber<WebSocketMessage> {

    /** No message is requested while more bytes than this are unsent: as many as one write takes. */
    private static final long ENOUGH = WriteBatch.MAX_BYTES;

    private final WebSocketConnection connection;

    // guarded by this
    private Flow.@Nullable Subscription subscription;
    private boolean over;

    /** Whether the next message is to be requested once there is room. */
    private boolean waiting;

    SentMessages(WebSocketConnection connection) {
        this.connection = connection;
    }

    @Override
    public void onSubscribe(Flow.Subscription offered) {
        Objects.requireNonNull(offered);
        boolean taken;
        synchronized (this) {
            taken = !over && subscription == null;
            if (taken) {
                subscription = offered;
                waiting = true;
            }
        }
        if (taken) {
            requestIfRoom();
        } else {
            offered.cancel();
        }
    }

    @Override
    public void onNext(WebSocketMessage message) {
        Objects.requireNonNull(message);
        synchronized (this) {
            waiting = true;
        }
        if (message instanceof WebSocketMessage.Text text) {
            connection.sendText(text.text(), this::sent);
        } else if (message instanceof WebSocketMessage.Binary binary) {
            connection.sendBinary(binary.bytes(), this::sent);
        }
        requestIfRoom();
    }

    private void sent(@Nullable Throwable failure) {
        if (failure == null) {
            requestIfRoom();
            return;
        }
        end();
        if (failure instanceof SendBufferFullException) { // filled by other senders; the stream is incomplete
            connection.close(new CloseStatus(CloseStatus.POLICY, "messages are not read fast enough"));
        }
    }

    private void requestIfRoom() {
        Flow.Subscription ready = null;
        boolean room = connection.unsent() <= ENOUGH;
        synchronized (this) {
            if (waiting && room && !over) {
                waiting = false;
                ready = subscription;
            }
        }
        if (ready != null) {
            ready.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        Objects.requireNonNull(failure);
        finish();
        try {
            CoreLog.WEBSOCKET.webSocketPublisherFailed(
                    PeerFaults.printable(connection.request().path().raw()), failure);
        } finally {
            connection.close(new CloseStatus(CloseStatus.INTERNAL_ERROR, ""));
        }
    }

    @Override
    public void onComplete() {
        finish();
        connection.close(CloseStatus.NORMAL);
    }

    private synchronized Flow.@Nullable Subscription finish() {
        Flow.Subscription had = over ? null : subscription;
        over = true;
        subscription = null;
        return had;
    }

    /** The connection has ended. */
    void end() {
        Flow.Subscription left = finish();
        if (left != null) {
            left.cancel();
        }
    }
}
