package io.millrace.websocket;

import io.millrace.io.Timers;
import java.nio.ByteBuffer;

/**
 * Makes the calls of one connection's listener. What a call throws is logged, goes to onError, and closes the connection with
 * 1011.
 */
final class ListenerCalls implements MessageStrand.Owner {

    private final WebSocketSession session;
    private final WebSocketListener listener;
    private final MessageStrand strand = new MessageStrand(this);

    ListenerCalls(WebSocketSession session, WebSocketListener listener) {
        this.session = session;
        this.listener = listener;
    }

    MessageStrand strand() {
        return strand;
    }

    /** A call that is not one for a message. Any thread. */
    void add(Delivery.Kind kind, Object value) {
        strand.add(new Delivery(kind, value, true, 0));
    }

    /** Is the message that begins now wanted in parts? */
    boolean takesParts(boolean text) {
        return listener.takesParts(session, text);
    }

    /** A timer's thread, for example, makes only calls that do not block. */
    @Override
    public boolean callsInPlace() {
        return listener instanceof NonBlockingWebSocketListener
                || session.writesBlock() && session.reader().isOnThread();
    }

    @Override
    public void handOver(Runnable task) {
        session.handOver(task);
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
    public void readOn() {
        session.reader().run();
    }

    @Override
    public void call(Delivery due) {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        boolean inPlace = callsInPlace();
        try {
            make(due);
        } catch (Throwable thrown) {
            listenerThrew(due.kind, thrown);
        } finally {
            if (!inPlace) {
                Thread.interrupted(); // what a listener does to its thread stays within its call
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
            case ERROR -> listener.onError(session, (Throwable) due.value);
            case CLOSE, CLOSED_BY_PEER -> listener.onClose(session, (CloseStatus) due.value);
        }
    }

    /** Whatever fails meanwhile, logging included, the connection is closed. */
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
        WebSocketMessages.LOG.listenerFailed(
                session.printablePath(), kind.method, listener.getClass().getName(), thrown);
    }
}
