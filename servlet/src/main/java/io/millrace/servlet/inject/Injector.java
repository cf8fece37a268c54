package io.millrace.servlet.inject;

import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.EnvValue;
import io.millrace.servlet.naming.Naming;
import java.lang.reflect.Method;
import javax.naming.NamingException;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * Injects resources into an application's components and calls their life-cycle methods (Servlet 3.1, 15.5; JSR 250).
 * Thread-safe.
 */
public final class Injector {

    private final WebAppModel model;
    private final Naming naming;
    private final ClassLoader loader;

    /** Cached with the class, so that the old class of a recompiled page can be unloaded. */
    private final ClassValue<ClassPlan> plans = new ClassValue<>() {
        @Override
        protected ClassPlan computeValue(Class<?> type) {
            return new PlanReader(model, naming).read(type);
        }
    };

    /** @param loader the application's class loader */
    public Injector(WebAppModel model, Naming naming, ClassLoader loader) {
        this.model = model;
        this.naming = naming;
        this.loader = loader;
    }

    /**
     * Injects resources, then calls the post-construct methods.
     *
     * @throws ServletException if a resource is missing or of the wrong type, or a method failed
     */
    public void construct(Object component) throws ServletException {
        ClassPlan plan = plan(component);
        for (InjectionPoint point : plan.points()) {
            inject(component, point);
        }
        for (Method method : plan.postConstruct()) {
            try {
                call(method, component);
            } catch (ReflectiveOperationException | RuntimeException e) {
                Throwable cause = e instanceof ReflectiveOperationException thrown ? InjectionPoint.cause(thrown) : e;
                throw new ServletException("the post-construct method " + method + " failed: " + cause, cause);
            }
        }
    }

    private ClassPlan plan(Object component) throws ServletException {
        try {
            return plans.get(component.getClass());
        } catch (IllegalStateException e) {
            throw new ServletException(e.getMessage(), e);
        }
    }

    private void inject(Object component, InjectionPoint point) throws ServletException {
        try {
            Object value = find(point);
            if (value != null) {
                point.set(component, value);
            } else if (!point.mayBeAbsent(component)) {
                throw new ServletException(MissingName.of(point));
            }
        } catch (NamingException e) {
            throw new ServletException(
                    point.where() + " cannot be injected with " + point.name() + ": " + e.getMessage(), e);
        } catch (ReflectiveOperationException | RuntimeException e) {
            Throwable cause = e instanceof ReflectiveOperationException thrown ? InjectionPoint.cause(thrown) : e;
            throw new ServletException(
                    point.where() + ", which is a " + point.type().getName() + ", cannot be injected with "
                            + point.name() + ": " + cause,
                    cause);
        }
    }

    /** The value; null if the name is not bound. */
    private @Nullable Object find(InjectionPoint point) throws NamingException, ClassNotFoundException {
        String text = point.text();
        if (text != null) {
            return EnvValue.of(point.type().getName(), text, loader);
        }
        String lookup = point.lookup();
        if (!naming.has(point.name()) && lookup != null && naming.has(Naming.absolute(lookup))) {
            naming.refer(point.name(), Naming.absolute(lookup));
        }
        return naming.has(point.name()) ? naming.lookup(point.name()) : null;
    }

    /** Whether the component has pre-destroy methods. */
    public boolean hasEnd(Object component) {
        return !plans.get(component.getClass()).preDestroy().isEmpty();
    }

    /** Calls the pre-destroy methods, after the component's last use. An exception of one is logged. */
    public void destroy(Object component) {
        for (Method method : plans.get(component.getClass()).preDestroy()) {
            try {
                call(method, component);
            } catch (ReflectiveOperationException e) {
                ServletLog.INJECT.preDestroyFailed(method.toString(), InjectionPoint.cause(e));
            } catch (RuntimeException e) {
                ServletLog.INJECT.preDestroyFailed(method.toString(), e);
            }
        }
    }

    private static void call(Method method, Object component) throws ReflectiveOperationException {
        method.setAccessible(true);
        method.invoke(component);
    }

    /** The message for a missing name, with the configuration that would add it. */
    private static final class MissingName {

        private static final String ENVIRONMENT = "java:comp/env/";

        private MissingName() {}

        static String of(InjectionPoint point) {
            String lookup = point.lookup();
            String found = point.where() + " requires " + point.name()
                    + (lookup == null ? "" : ", an alias of " + lookup)
                    + ", which this application does not have. ";
            String name = lookup == null ? point.name() : lookup;
            if (name.startsWith("java:") && !name.startsWith(ENVIRONMENT)) {
                return found + "Only names below " + ENVIRONMENT + " exist; use one of these.";
            }
            return found
                    + remedy(name.startsWith(ENVIRONMENT) ? name.substring(ENVIRONMENT.length()) : name, point.type());
        }

        private static String remedy(String name, Class<?> type) {
            String typeName = SimpleType.name(type);
            if (SimpleType.is(type)) {
                return "Add <Environment name=\"" + name + "\" type=\"" + typeName
                        + "\" value=\"...\"/> to its context.xml, "
                        + "or <env-entry><env-entry-name>" + name + "</env-entry-name><env-entry-type>" + typeName
                        + "</env-entry-type><env-entry-value>...</env-entry-value></env-entry> to its web.xml";
            }
            String how = typeName.equals("javax.sql.DataSource")
                    ? "driverClassName=\"...\" url=\"...\" username=\"...\" password=\"...\""
                    : "factory=\"...\"";
            return "Add <Resource name=\"" + name + "\" type=\"" + typeName + "\" " + how + "/> to its context.xml";
        }
    }
}
