package io.millrace.websocket.jsr;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.websocket.CloseReason;
import javax.websocket.DecodeException;
import javax.websocket.DeploymentException;
import javax.websocket.EndpointConfig;
import javax.websocket.OnClose;
import javax.websocket.OnError;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.PathParam;
import org.jspecify.annotations.Nullable;

/**
 * The methods of an annotated endpoint class (JSR 356, 4), determined once when it is deployed. Immutable.
 */
public final class EndpointModel implements EndpointRuntime.EndpointCalls {

    private final @Nullable AnnotatedMethod open;
    private final @Nullable AnnotatedMethod close;
    private final @Nullable AnnotatedMethod error;
    private final List<MessageReceivers.Receiver> receivers;

    private EndpointModel(
            @Nullable AnnotatedMethod open,
            @Nullable AnnotatedMethod close,
            @Nullable AnnotatedMethod error,
            List<MessageReceivers.Receiver> receivers) {
        this.open = open;
        this.close = close;
        this.error = error;
        this.receivers = receivers;
    }

    /**
     * Scans a class and its superclasses.
     *
     * @throws DeploymentException if a method has an invalid parameter, or two methods have the same role
     */
    public static EndpointModel of(Class<?> type, CoderTypes coders) throws DeploymentException {
        List<Method> methods = methods(type);
        Map<MessageKind, MessageReceivers.Receiver> receivers = new EnumMap<>(MessageKind.class);
        for (Method method : methods) {
            if (method.isAnnotationPresent(OnMessage.class)) {
                AnnotatedReceiver receiver = AnnotatedReceiver.of(type, method, coders);
                if (receivers.put(receiver.kind(), receiver) != null) {
                    throw new DeploymentException(type.getName() + " has two @OnMessage methods for "
                            + receiver.kind().name().toLowerCase(java.util.Locale.ROOT)
                            + " messages, one of them " + MethodArgument.describe(method)
                            + "; only one is allowed (JSR 356, 4.7).");
                }
            }
        }
        return new EndpointModel(
                only(type, methods, OnOpen.class, EndpointConfig.class),
                only(type, methods, OnClose.class, CloseReason.class),
                only(type, methods, OnError.class, Throwable.class),
                List.copyOf(receivers.values()));
    }

    /** The class's own methods and those of its superclasses that it does not override. */
    private static List<Method> methods(Class<?> type) {
        List<Method> methods = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            Method[] own = at.getDeclaredMethods();
            for (Method method : own) {
                if (!method.isSynthetic() && seen.add(signature(method))) {
                    methods.add(method);
                }
            }
            for (Method method : own) {
                if (method.isBridge() && isOverridden(method, own)) {
                    seen.add(signature(method));
                }
            }
        }
        return methods;
    }

    private static String signature(Method method) {
        return method.getName() + List.of(method.getParameterTypes());
    }

    /**
     * Whether the bridge calls a method of the same class, which binds type variables of a superclass. Other bridges call a method
     * of a superclass that is not public.
     */
    private static boolean isOverridden(Method bridge, Method[] own) {
        for (Method method : own) {
            if (!method.isSynthetic()
                    && method.getName().equals(bridge.getName())
                    && method.getParameterCount() == bridge.getParameterCount()) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable AnnotatedMethod only(
            Class<?> type, List<Method> methods, Class<? extends Annotation> annotation, Class<?> eventType)
            throws DeploymentException {
        Method found = null;
        for (Method method : methods) {
            if (method.isAnnotationPresent(annotation)) {
                if (found != null) {
                    throw new DeploymentException(type.getName() + " has two methods with @"
                            + annotation.getSimpleName() + ", " + found.getName() + "() and " + method.getName()
                            + "(); only one is allowed.");
                }
                found = method;
            }
        }
        return found == null ? null : read(found, annotation, eventType);
    }

    private static AnnotatedMethod read(Method method, Class<? extends Annotation> annotation, Class<?> eventType)
            throws DeploymentException {
        List<MethodArgument> arguments = new ArrayList<>();
        boolean hasEvent = false;
        for (Parameter parameter : method.getParameters()) {
            MethodArgument argument = MethodArgument.of(parameter, eventType);
            if (argument == null) {
                throw new DeploymentException(MethodArgument.describe(method) + " cannot be an @"
                        + annotation.getSimpleName() + " method: its parameter of type "
                        + parameter.getType().getName() + " is neither Session, " + eventType.getSimpleName()
                        + " nor annotated with @PathParam.");
            }
            hasEvent |= argument.equals(MethodArgument.EVENT);
            arguments.add(argument);
        }
        if (annotation == OnError.class && !hasEvent) {
            throw new DeploymentException(
                    MethodArgument.describe(method) + " requires a parameter of type Throwable (JSR 356, 4.6).");
        }
        return AnnotatedMethod.of(method, arguments);
    }

    @Override
    public void open(JsrSession session) throws Throwable {
        if (open != null) {
            open.call(session, null, true);
        }
    }

    @Override
    public void close(JsrSession session, CloseReason reason) throws Throwable {
        if (close != null) {
            close.call(session, reason, true);
        }
    }

    @Override
    public boolean error(JsrSession session, Throwable failure) throws Throwable {
        if (error != null) {
            error.call(session, failure, true);
        }
        return error != null;
    }

    @Override
    public List<MessageReceivers.Receiver> receivers() {
        return receivers;
    }

    /** A method with {@code @OnMessage} (JSR 356, 4.7). Its return value is sent to the peer. */
    private record AnnotatedReceiver(AnnotatedMethod method, MessageType type, boolean isPartial, long maxMessageSize)
            implements MessageReceivers.Receiver {

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
            Object answer = method.call(session, type.conversion().convert(session.coders(), message), last);
            if (answer != null) {
                session.getBasicRemote().sendObject(answer);
            }
        }
    }

    /** A method of an annotated endpoint, ready to be called. Immutable. */
    private static final class AnnotatedMethod {

        private final MethodHandle handle;
        private final MethodArgument[] arguments;

        private AnnotatedMethod(MethodHandle handle, List<MethodArgument> arguments) {
            this.handle = handle;
            this.arguments = arguments.toArray(MethodArgument[]::new);
        }

        /** @throws DeploymentException if the method is not accessible */
        static AnnotatedMethod of(Method method, List<MethodArgument> arguments) throws DeploymentException {
            try {
                method.setAccessible(true);
                MethodHandle handle = MethodHandles.lookup().unreflect(method);
                return new AnnotatedMethod(
                        handle.asType(handle.type().generic()).asSpreader(Object[].class, arguments.size() + 1),
                        arguments);
            } catch (IllegalAccessException | RuntimeException e) {
                throw new DeploymentException(MethodArgument.describe(method) + " cannot be called: " + e, e);
            }
        }

        /** Calls the method. Returns its result; null if it returns nothing. */
        @Nullable
        Object call(JsrSession session, @Nullable Object event, boolean last) throws Throwable {
            @Nullable Object[] values = new @Nullable Object[arguments.length + 1];
            values[0] = session.endpoint();
            for (int i = 0; i < arguments.length; i++) {
                values[i + 1] = arguments[i].value(session, event, last);
            }
            return handle.invokeExact(values);
        }
    }

    /** The source of the argument for a parameter of an annotated method. */
    @FunctionalInterface
    private interface MethodArgument {

        /**
         * Returns the argument.
         *
         * @param event the message, the close reason or the error; null when a session opens
         * @throws DecodeException if a path variable cannot be converted to the parameter's type
         */
        @Nullable
        Object value(JsrSession session, @Nullable Object event, boolean last) throws DecodeException;

        MethodArgument SESSION = (session, event, last) -> session;

        MethodArgument CONFIG = (session, event, last) -> session.config();

        MethodArgument EVENT = (session, event, last) -> event;

        MethodArgument LAST = (session, event, last) -> last;

        /** The argument for a parameter that all annotated methods, or those of this event, may have; null for others. */
        static @Nullable MethodArgument of(Parameter parameter, @Nullable Class<?> eventType)
                throws DeploymentException {
            PathParam path = parameter.getAnnotation(PathParam.class);
            Class<?> type = parameter.getType();
            if (path != null) {
                return ofPath(parameter, path.value());
            }
            if (type == Session.class) {
                return SESSION;
            }
            if (type == EndpointConfig.class && eventType == EndpointConfig.class) {
                return CONFIG;
            }
            boolean isEvent = type == eventType && (type == CloseReason.class || type == Throwable.class);
            return isEvent ? EVENT : null;
        }

        /** A String, a primitive type or its wrapper (JSR 356, 4.3); null, or for primitives an error, if the path has no such variable. */
        private static MethodArgument ofPath(Parameter parameter, String variable) throws DeploymentException {
            Class<?> type = parameter.getType();
            if (type == String.class) {
                return (session, event, last) -> session.getPathParameters().get(variable);
            }
            if (!Primitives.isPrimitive(type)) {
                throw new DeploymentException(describe((Method) parameter.getDeclaringExecutable())
                        + ": @PathParam(\"" + variable + "\") is for a String or a primitive type, not for "
                        + type.getName() + " (JSR 356, 4.3).");
            }
            return (session, event, last) -> {
                String value = session.getPathParameters().get(variable);
                if (value == null && type.isPrimitive()) {
                    throw new DecodeException("", "the path has no variable {" + variable + "}");
                }
                return value == null ? null : Primitives.parse(type, value);
            };
        }

        /** The method's name for error messages. */
        static String describe(Method method) {
            return method.getDeclaringClass().getName() + "." + method.getName() + "()";
        }
    }
}
