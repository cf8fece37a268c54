package io.millrace.websocket.jsr;

import java.util.List;
import javax.websocket.CloseReason;
import javax.websocket.Endpoint;

/** Calls an {@link Endpoint}. */
public final class ProgrammaticCalls implements EndpointRuntime.EndpointCalls {

    /** The instance for all endpoints. */
    public static final EndpointRuntime.EndpointCalls INSTANCE = new ProgrammaticCalls();

    private static final ClassValue<Boolean> HANDLES_ERRORS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("onError", javax.websocket.Session.class, Throwable.class)
                                .getDeclaringClass()
                        != Endpoint.class;
            } catch (NoSuchMethodException impossible) {
                return false;
            }
        }
    };

    private ProgrammaticCalls() {}

    @Override
    public void open(JsrSession session) {
        endpoint(session).onOpen(session, session.config());
    }

    @Override
    public void close(JsrSession session, CloseReason reason) {
        endpoint(session).onClose(session, reason);
    }

    @Override
    public boolean error(JsrSession session, Throwable failure) {
        Endpoint endpoint = endpoint(session);
        endpoint.onError(session, failure);
        return HANDLES_ERRORS.get(endpoint.getClass());
    }

    private static Endpoint endpoint(JsrSession session) {
        return (Endpoint) session.endpoint();
    }

    @Override
    public List<MessageReceivers.Receiver> receivers() {
        return List.of();
    }
}
