package io.millrace.servlet.context;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The context passed to listeners that neither a descriptor nor an annotation declares: it refuses access to the configuration
 * (Servlet 3.1, 4.4).
 */
final class RestrictedContext implements InvocationHandler {

    /** The methods that throw, by their Javadoc. */
    private static final Set<String> REFUSED = Set.of(
            "addFilter",
            "addJspFile",
            "addListener",
            "addServlet",
            "createFilter",
            "createListener",
            "createServlet",
            "declareRoles",
            "getClassLoader",
            "getDefaultSessionTrackingModes",
            "getEffectiveMajorVersion",
            "getEffectiveMinorVersion",
            "getEffectiveSessionTrackingModes",
            "getFilterRegistration",
            "getFilterRegistrations",
            "getJspConfigDescriptor",
            "getRequestCharacterEncoding",
            "getResponseCharacterEncoding",
            "getServletRegistration",
            "getServletRegistrations",
            "getSessionCookieConfig",
            "getSessionTimeout",
            "getVirtualServerName",
            "setInitParameter",
            "setRequestCharacterEncoding",
            "setResponseCharacterEncoding",
            "setSessionTimeout",
            "setSessionTrackingModes");

    private final ServletContext context;

    private RestrictedContext(ServletContext context) {
        this.context = context;
    }

    static ServletContext of(ServletContext context) {
        return (ServletContext) Proxy.newProxyInstance(
                RestrictedContext.class.getClassLoader(),
                new Class<?>[] {ServletContext.class},
                new RestrictedContext(context));
    }

    /** Unwraps a context that an application has. */
    private static ServletContext unwrap(ServletContext seen) {
        return Proxy.isProxyClass(seen.getClass())
                        && Proxy.getInvocationHandler(seen) instanceof RestrictedContext restricted
                ? restricted.context
                : seen;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (REFUSED.contains(method.getName())) {
            throw new UnsupportedOperationException(method.getName()
                    + " may not be called by listeners that neither web.xml nor a web fragment nor @WebListener declares"
                    + " (Servlet 3.1, 4.4)");
        }
        if (method.getName().equals("equals") && arguments != null) {
            return arguments[0] instanceof ServletContext other && context.equals(unwrap(other));
        }
        try {
            return method.invoke(context, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
