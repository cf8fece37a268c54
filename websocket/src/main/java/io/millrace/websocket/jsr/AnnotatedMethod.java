package io.millrace.websocket.jsr;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.List;
import javax.websocket.DeploymentException;
import org.jspecify.annotations.Nullable;

/** A method of an annotated endpoint, ready to be called. Immutable. */
final class AnnotatedMethod {

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
                    handle.asType(handle.type().generic()).asSpreader(Object[].class, arguments.size() + 1), arguments);
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
