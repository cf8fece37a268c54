package io.millrace.websocket.jsr;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import javax.websocket.CloseReason;
import javax.websocket.DecodeException;
import javax.websocket.DeploymentException;
import javax.websocket.EndpointConfig;
import javax.websocket.Session;
import javax.websocket.server.PathParam;
import org.jspecify.annotations.Nullable;

/** The source of the argument for a parameter of an annotated method. */
@FunctionalInterface
interface MethodArgument {

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
    static @Nullable MethodArgument of(Parameter parameter, @Nullable Class<?> eventType) throws DeploymentException {
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
