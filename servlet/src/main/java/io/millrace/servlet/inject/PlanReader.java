package io.millrace.servlet.inject;

import io.millrace.servlet.inject.InjectionPoint.Absence;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.InjectionTargetModel;
import io.millrace.servlet.model.LifecycleMethodModel;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.NamingEntryModel.Kind;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.Naming;
import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
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
            ServletLog.INJECT.annotationsUnreadable(type.getName(), e.toString());
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
                ServletLog.INJECT.injectionNotProvided(where, annotation.name());
            }
        }
    }

    /** The entry's element, for messages. */
    static String element(NamingEntryModel entry) {
        return "<" + entry.kind().element() + "> \"" + entry.name() + "\"";
    }

    /**
     * Finds the methods of one kind, PostConstruct or PreDestroy (JSR 250, 2.5 and 2.6): one for each class. The descriptor takes
     * precedence over the annotation.
     */
    private static final class LifecycleMethods {

        private final String annotation;
        private final List<LifecycleMethodModel> declared;
        private final boolean annotations;

        /** @param annotations true if annotations are read */
        LifecycleMethods(String annotation, List<LifecycleMethodModel> declared, boolean annotations) {
            this.annotation = annotation;
            this.declared = declared;
            this.annotations = annotations;
        }

        /**
         * The methods of a class and its superclasses, the topmost first.
         *
         * @throws IllegalStateException if one of them is invalid
         */
        List<Method> of(Hierarchy hierarchy) {
            List<Method> found = new ArrayList<>();
            for (Class<?> type : hierarchy.classes()) {
                Method method = in(type);
                if (method != null && !hierarchy.isOverridden(method)) {
                    found.add(method);
                }
            }
            return found;
        }

        private @Nullable Method in(Class<?> type) {
            for (LifecycleMethodModel model : declared) {
                if (model.className().equals(type.getName())) {
                    return named(type, model.method());
                }
            }
            return annotations ? annotated(type) : null;
        }

        private static Method named(Class<?> type, String name) {
            try {
                return type.getDeclaredMethod(name);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(
                        "web.xml names the life-cycle callback " + name + "() of class " + type.getName()
                                + ", which has no such method without parameters",
                        e);
            }
        }

        private @Nullable Method annotated(Class<?> type) {
            List<Method> found = Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> !method.isBridge() && ApiAnnotation.on(method, annotation) != null)
                    .toList();
            if (found.isEmpty()) {
                return null;
            }
            if (found.size() > 1) {
                throw new IllegalStateException(
                        "class " + type.getName() + " has @" + simpleName() + " on " + found.size()
                                + " methods, " + found.get(0).getName() + "() and "
                                + found.get(1).getName()
                                + "(); only one may have it");
            }
            if (found.get(0).getParameterCount() > 0) {
                throw new IllegalStateException(
                        "the @" + simpleName() + " method " + found.get(0) + " has parameters; it must have none");
            }
            return found.get(0);
        }

        private String simpleName() {
            return annotation.substring(annotation.lastIndexOf('.') + 1);
        }
    }

    /** The injection targets of web.xml (Java EE 7, EE.5.2.5). */
    private static final class DescriptorTargets {

        /** References that only full Java EE servers support. */
        private static final Set<Kind> UNSUPPORTED =
                Set.of(Kind.EJB, Kind.EJB_LOCAL, Kind.PERSISTENCE_CONTEXT, Kind.PERSISTENCE_UNIT, Kind.SERVICE);

        private final WebAppModel model;
        private final Naming naming;

        DescriptorTargets(WebAppModel model, Naming naming) {
            this.model = model;
            this.naming = naming;
        }

        /** @throws IllegalStateException if the class has no such member */
        List<InjectionPoint> of(Class<?> type) {
            List<InjectionPoint> points = new ArrayList<>();
            for (NamingEntryModel entry : model.namingEntries) {
                for (InjectionTargetModel target : entry.injectionTargets()) {
                    if (target.className().equals(type.getName())) {
                        add(type, entry, target, points);
                    }
                }
            }
            return points;
        }

        private void add(
                Class<?> type, NamingEntryModel entry, InjectionTargetModel target, List<InjectionPoint> points) {
            AccessibleObject member = member(type, entry, target.member());
            String where = target.member() + " of class " + type.getName();
            String name = Naming.absolute(entry.name());
            boolean known = naming.has(name);
            if (UNSUPPORTED.contains(entry.kind()) && !known) {
                ServletLog.INJECT.injectionNotProvided(where, PlanReader.element(entry));
                return;
            }
            Class<?> wanted =
                    member instanceof Method setter ? setter.getParameterTypes()[0] : ((Field) member).getType();
            // an env-entry without type has that of its target
            boolean untyped = entry.type() == null && entry.value() != null;
            Absence absence = entry.kind() == Kind.ENV_ENTRY ? Absence.KEEPS : Absence.FAILS;
            points.add(new InjectionPoint(
                    where, member, wanted, name, entry.lookup(), untyped ? entry.value() : null, absence));
        }

        /** The setter, otherwise the field, as specified. */
        private static AccessibleObject member(Class<?> type, NamingEntryModel entry, String name) {
            for (Method method : type.getDeclaredMethods()) {
                if (name.equals(Setters.property(method)) && !method.isBridge()) {
                    return method;
                }
            }
            try {
                return type.getDeclaredField(name);
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException(
                        PlanReader.element(entry) + " in web.xml has the injection target " + name + " of class "
                                + type.getName() + ", which has neither such a field nor a setter for it",
                        e);
            }
        }
    }

    /** Recognizes setter methods (JavaBeans 1.01, 8.3 and 8.8). */
    private static final class Setters {

        private static final String SET = "set";

        private Setters() {}

        /** The property; null if the method is not a setter. */
        static @Nullable String property(Method method) {
            String name = method.getName();
            if (method.getParameterCount() != 1 || !name.startsWith(SET) || name.length() == SET.length()) {
                return null;
            }
            String capital = name.substring(SET.length());
            boolean acronym = capital.length() > 1
                    && Character.isUpperCase(capital.charAt(0))
                    && Character.isUpperCase(capital.charAt(1));
            return acronym ? capital : Character.toLowerCase(capital.charAt(0)) + capital.substring(1);
        }
    }

    /** A component's class and its superclasses that may have injection points, the topmost first. */
    private static final class Hierarchy {

        private final List<Class<?>> classes;

        Hierarchy(Class<?> type) {
            Deque<Class<?>> found = new ArrayDeque<>();
            for (Class<?> each = type; each != null && !isApi(each); each = each.getSuperclass()) {
                found.addFirst(each);
            }
            classes = List.copyOf(found);
        }

        private static boolean isApi(Class<?> type) {
            return type.getName().startsWith("java.") || type.getName().startsWith("javax.servlet.");
        }

        List<Class<?>> classes() {
            return classes;
        }

        /** Whether a subclass overrides the method: then only the overriding method applies (JSR 250, 2.1). */
        boolean isOverridden(Method method) {
            if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
                return false;
            }
            int below = classes.indexOf(method.getDeclaringClass()) + 1;
            return classes.subList(below, classes.size()).stream()
                    .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                    .anyMatch(other -> overrides(other, method));
        }

        private static boolean overrides(Method lower, Method upper) {
            boolean open = Modifier.isPublic(upper.getModifiers()) || Modifier.isProtected(upper.getModifiers());
            return lower.getName().equals(upper.getName())
                    && !lower.isBridge()
                    && Arrays.equals(lower.getParameterTypes(), upper.getParameterTypes())
                    && (open || samePackage(lower, upper));
        }

        private static boolean samePackage(Method one, Method other) {
            return one.getDeclaringClass()
                    .getPackageName()
                    .equals(other.getDeclaringClass().getPackageName());
        }
    }

    /** An annotation that is identified by name, because its class may be from the application's copy of the API. */
    private record ApiAnnotation(Annotation annotation) {

        static final String RESOURCE = "javax.annotation.Resource";
        static final String RESOURCES = "javax.annotation.Resources";
        static final String POST_CONSTRUCT = "javax.annotation.PostConstruct";
        static final String PRE_DESTROY = "javax.annotation.PreDestroy";

        /** Annotations that only full Java EE servers support. */
        static final List<String> UNSUPPORTED = List.of(
                "javax.ejb.EJB",
                "javax.persistence.PersistenceContext",
                "javax.persistence.PersistenceUnit",
                "javax.xml.ws.WebServiceRef");

        static @Nullable ApiAnnotation on(AnnotatedElement element, String name) {
            for (Annotation annotation : element.getDeclaredAnnotations()) {
                if (annotation.annotationType().getName().equals(name)) {
                    return new ApiAnnotation(annotation);
                }
            }
            return null;
        }

        /** The Resource annotations of a class, including those in Resources. */
        static List<ApiAnnotation> resources(Class<?> type) {
            List<ApiAnnotation> found = new ArrayList<>();
            ApiAnnotation one = on(type, RESOURCE);
            if (one != null) {
                found.add(one);
            }
            ApiAnnotation several = on(type, RESOURCES);
            if (several != null && several.value("value") instanceof Annotation[] all) {
                for (Annotation each : all) {
                    found.add(new ApiAnnotation(each));
                }
            }
            return found;
        }

        String name() {
            return "@" + annotation.annotationType().getSimpleName();
        }

        /** The value of an attribute; null if it is empty or missing in this version of the API. */
        @Nullable
        String text(String attribute) {
            return value(attribute) instanceof String text && !text.isEmpty() ? text : null;
        }

        /** The attribute {@code type}; by default Object. */
        Class<?> type() {
            return value("type") instanceof Class<?> type ? type : Object.class;
        }

        private @Nullable Object value(String attribute) {
            try {
                return annotation.annotationType().getMethod(attribute).invoke(annotation);
            } catch (ReflectiveOperationException e) {
                return null; // lookup exists since version 1.1 of the API
            }
        }
    }
}
