package io.millrace.servlet.inject;

import io.millrace.servlet.inject.InjectionPoint.Absence;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.Naming;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the injection points of one class from the descriptor and, unless that is metadata-complete, from its annotations. */
final class PlanReader {

    private final WebAppModel model;
    private final DescriptorTargets targets;
    private final boolean annotations;
    private final List<InjectionPoint> points = new ArrayList<>();

    PlanReader(WebAppModel model, Naming naming) {
        this.model = model;
        this.targets = new DescriptorTargets(model, naming);
        this.annotations = !model.metadataComplete;
    }

    /** @throws IllegalStateException if a declaration is invalid; the message explains it */
    ClassPlan read(Class<?> type) {
        try {
            Hierarchy hierarchy = new Hierarchy(type);
            for (Class<?> each : hierarchy.classes()) {
                read(each, hierarchy);
            }
            return new ClassPlan(
                    List.copyOf(points),
                    new LifecycleMethods(ApiAnnotation.POST_CONSTRUCT, model.postConstructMethods, annotations)
                            .of(hierarchy),
                    new LifecycleMethods(ApiAnnotation.PRE_DESTROY, model.preDestroyMethods, annotations)
                            .of(hierarchy));
        } catch (LinkageError e) {
            // The class may work as long as the missing class is not used.
            InjectMessages.LOG.unreadable(type.getName(), e.toString());
            return new ClassPlan(List.of(), List.of(), List.of());
        }
    }

    private void read(Class<?> type, Hierarchy hierarchy) {
        Set<AccessibleObject> taken = new HashSet<>();
        for (InjectionPoint point : targets.of(type)) {
            if (point.member() != null && taken.add(point.member())) {
                points.add(point);
            }
        }
        if (!annotations) {
            return;
        }
        for (ApiAnnotation resource : ApiAnnotation.resources(type)) {
            points.add(declaration(type, resource));
        }
        warn(type, "class " + type.getName());
        for (Field field : type.getDeclaredFields()) {
            String where = "field " + field.getName() + " of class " + type.getName();
            ApiAnnotation resource = ApiAnnotation.on(field, ApiAnnotation.RESOURCE);
            if (resource != null && !taken.contains(field)) {
                points.add(point(where, field, field.getType(), type.getName() + "/" + field.getName(), resource));
            }
            warn(field, where);
        }
        for (Method method : type.getDeclaredMethods()) {
            ApiAnnotation resource = ApiAnnotation.on(method, ApiAnnotation.RESOURCE);
            if (resource != null && !method.isBridge() && !taken.contains(method) && !hierarchy.isOverridden(method)) {
                points.add(setter(method, resource));
            }
            warn(method, "method " + method.getName() + " of class " + type.getName());
        }
    }

    private static InjectionPoint declaration(Class<?> type, ApiAnnotation resource) {
        String where = resource.name() + " of class " + type.getName();
        String name = resource.text("name");
        if (name == null) {
            throw new IllegalStateException(where + " has no name; on a class it requires one");
        }
        return new InjectionPoint(
                where, null, resource.type(), Naming.absolute(name), lookup(resource), null, Absence.FAILS);
    }

    private static InjectionPoint setter(Method method, ApiAnnotation resource) {
        String where = "method " + method.getName() + " of class "
                + method.getDeclaringClass().getName();
        String property = Setters.property(method);
        if (property == null) {
            throw new IllegalStateException(
                    where + " has @Resource, but is not a setter: its name must begin with set and it must have one"
                            + " parameter");
        }
        return point(
                where,
                method,
                method.getParameterTypes()[0],
                method.getDeclaringClass().getName() + "/" + property,
                resource);
    }

    private static InjectionPoint point(
            String where, AccessibleObject member, Class<?> type, String otherwise, ApiAnnotation resource) {
        String name = resource.text("name");
        Class<?> wanted = resource.type() == Object.class ? type : resource.type();
        return new InjectionPoint(
                where,
                member,
                wanted,
                Naming.absolute(name == null ? otherwise : name),
                lookup(resource),
                null,
                SimpleType.is(type) ? Absence.KEEPS_IF_SET : Absence.FAILS);
    }

    /** The lookup name. The meaning of mappedName depends on the container; here it is another lookup name. */
    private static @Nullable String lookup(ApiAnnotation resource) {
        String lookup = resource.text("lookup");
        return lookup != null ? lookup : resource.text("mappedName");
    }

    private static void warn(AnnotatedElement element, String where) {
        for (String name : ApiAnnotation.UNSUPPORTED) {
            ApiAnnotation annotation = ApiAnnotation.on(element, name);
            if (annotation != null) {
                InjectMessages.LOG.notHere(where, annotation.name());
            }
        }
    }

    /** The entry's element, for messages. */
    static String element(NamingEntryModel entry) {
        return "<" + entry.kind().element() + "> \"" + entry.name() + "\"";
    }
}
