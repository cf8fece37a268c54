package io.millrace.websocket;

import io.millrace.exchange.ExchangeChannel;
import io.millrace.log.CoreLog;
import io.millrace.exchange.RequestId;
import io.millrace.io.Timers;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Calls one connection's listener. An exception of the listener is logged, passed to onError, and closes the connection with
 * 1011.
 */
final class ListenerCalls implements MessageStrand.Owner {

    private final WebSocketSession session;
    private final WebSocketListener listener;
    private final MessageStrand strand = new MessageStrand(this);
    /** Set by the thread that makes the calls, one at a time. */
    private volatile boolean over;

    ListenerCalls(WebSocketSession session, WebSocketListener listener) {
        this.session = session;
        this.listener = listener;
    }

    MessageStrand strand() {
        return strand;
    }

    /** Queues a call other than for a message. Thread-safe. */
    void add(Delivery.Kind kind, Object value) {
        strand.add(new Delivery(kind, value, true, 0));
    }

    /** Whether the message that begins now is to be delivered in parts. */
    boolean takesParts(boolean text) {
        return listener.takesParts(session, text);
    }

    /** False on the timer thread, for example, unless the listener never blocks. */
    @Override
    public boolean callsInPlace() {
        return listener instanceof NonBlockingWebSocketListener
                || session.writesBlock() && session.reader().isOnThread();
    }

    @Override
    public void handOver(Runnable task) {
        session.handOverToShare(task);
    }

    @Override
    public void handOverOrRunOnLoop(ExchangeChannel.LoopTask task) {
        session.handOverToShare(listener.prediction(), task);
    }

    @Override
    public Timers.Timer after(long nanos, Runnable task) {
        return session.after(nanos, task);
    }

    @Override
    public void abort(Throwable cause) {
        session.abort(cause);
    }

    @Override
    public void resumeReading() {
        session.reader().run();
    }

    /** Whether the connection has ended for the listener as soon as this end closes it. */
    boolean endsAtOnce() {
        return listener.endsAtOnce();
    }

    /** Nothing is delivered after onClose, although the peer's last messages may still arrive. */
    @Override
    public void call(Delivery due) {
        if (over && due.kind != Delivery.Kind.FAULT) {
            return;
        }
        over |= due.kind == Delivery.Kind.CLOSE || due.kind == Delivery.Kind.CLOSED_BY_PEER;
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        boolean inPlace = callsInPlace();
        RequestId before = RequestId.enter(session.requestId());
        try {
            make(due);
        } catch (Throwable thrown) {
            listenerThrew(due.kind, thrown);
        } finally {
            RequestId.enter(before);
            if (!inPlace) {
                Thread.interrupted(); // the listener must not affect later tasks of the worker
                thread.setContextClassLoader(loader);
            }
        }
        if (due.kind == Delivery.Kind.OPEN) {
            session.reader().run();
        }
    }

    private void make(Delivery due) throws Exception {
        switch (due.kind) {
            case OPEN -> listener.onOpen(session);
            case TEXT -> listener.onText(session, (String) due.value);
            case TEXT_PART -> listener.onTextPart(session, (String) due.value, due.last);
            case BINARY -> listener.onBinary(session, (ByteBuffer) due.value);
            case BINARY_PART -> listener.onBinaryPart(session, (ByteBuffer) due.value, due.last);
            case PONG -> listener.onPong(session, (ByteBuffer) due.value);
            case FAULT -> session.fail((WebSocketException) due.value);
            case PEER_CLOSE -> session.closing().received((CloseStatus) due.value);
            case PEER_END -> session.closing().ended((IOException) due.value);
            case ERROR -> listener.onError(session, (Throwable) due.value);
            case CLOSE, CLOSED_BY_PEER -> listener.onClose(session, (CloseStatus) due.value);
        }
    }

    /** The connection is closed even if logging or onError fails. */
    private void listenerThrew(Delivery.Kind kind, Throwable thrown) {
        try {
            log(kind, thrown);
            if (kind.mayFail()) {
                listener.onError(session, thrown);
            }
        } catch (Throwable again) {
            log(Delivery.Kind.ERROR, again);
        } finally {
            session.close(new CloseStatus(CloseStatus.INTERNAL_ERROR, ""));
        }
    }

    private void log(Delivery.Kind kind, Throwable thrown) {
        CoreLog.WEBSOCKET.webSocketListenerFailed(
                session.printablePath(), kind.method, listener.getClass().getName(), thrown);
    }
}
