package io.millrace.websocket.jsr;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import javax.websocket.DeploymentException;
import javax.websocket.OnMessage;
import javax.websocket.Session;
import javax.websocket.server.PathParam;
import org.jspecify.annotations.Nullable;

/** A method with {@code @OnMessage} (JSR 356, 4.7). Its return value is sent to the peer. */
record AnnotatedReceiver(AnnotatedMethod method, MessageType type, boolean isPartial, long maxMessageSize)
        implements MessageReceiver {

    /**
     * The receiver for a method of an endpoint's class or of a superclass.
     *
     * @throws DeploymentException if such a method may not have these parameters
     */
    static AnnotatedReceiver of(Class<?> endpoint, Method method, CoderTypes coders) throws DeploymentException {
        List<Parameter> payload = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            if (parameter.getType() != Session.class && !parameter.isAnnotationPresent(PathParam.class)) {
                payload.add(parameter);
            }
        }
        Parameter flag = payload.size() == 2 ? flag(payload) : null;
        if (payload.size() != (flag == null ? 1 : 2)) {
            throw invalid(
                    method,
                    "it requires one parameter for the message, and a boolean one if it receives partial messages");
        }
        payload.remove(flag);
        Parameter message = payload.get(0);
        Class<?> messageType = TypeArgument.of(endpoint, message);
        MessageType type = flag == null ? MessageType.whole(messageType, coders) : MessageType.partial(messageType);
        if (type == null) {
            throw invalid(
                    method,
                    flag == null
                            ? "no decoder of the endpoint produces a "
                                    + messageType.getName()
                                    + " of messages; add one to the decoders of its annotation"
                            : "partial messages can be received as String, byte[] and ByteBuffer only");
        }
        List<MethodArgument> arguments = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            arguments.add(argument(parameter, message, flag));
        }
        long maxSize = method.getAnnotation(OnMessage.class).maxMessageSize();
        return new AnnotatedReceiver(AnnotatedMethod.of(method, arguments), type, flag != null, maxSize);
    }

    private static MethodArgument argument(Parameter parameter, Parameter message, @Nullable Parameter flag)
            throws DeploymentException {
        if (parameter.equals(message)) {
            return MethodArgument.EVENT;
        }
        if (parameter.equals(flag)) {
            return MethodArgument.LAST;
        }
        MethodArgument argument = MethodArgument.of(parameter, null);
        if (argument == null) {
            throw new IllegalStateException("neither message nor session nor path: " + parameter);
        }
        return argument;
    }

    private static @Nullable Parameter flag(List<Parameter> two) {
        for (Parameter parameter : two) {
            if (parameter.getType() == boolean.class || parameter.getType() == Boolean.class) {
                return parameter;
            }
        }
        return null;
    }

    private static DeploymentException invalid(Method method, String why) {
        return new DeploymentException(
                MethodArgument.describe(method) + " cannot be an @OnMessage method: " + why + " (JSR 356, 4.7).");
    }

    @Override
    public MessageKind kind() {
        return type.kind();
    }

    @Override
    public void receive(JsrSession session, Object message, boolean last) throws Throwable {
        Object answer = method.call(session, type.conversion().convert(session, message), last);
        if (answer != null) {
            session.getBasicRemote().sendObject(answer);
        }
    }
}
