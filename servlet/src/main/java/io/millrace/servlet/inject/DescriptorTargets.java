package io.millrace.servlet.inject;

import io.millrace.servlet.inject.InjectionPoint.Absence;
import io.millrace.servlet.model.InjectionTargetModel;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.NamingEntryModel.Kind;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.Naming;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The injection targets of web.xml (Java EE 7, EE.5.2.5). */
final class DescriptorTargets {

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

    private void add(Class<?> type, NamingEntryModel entry, InjectionTargetModel target, List<InjectionPoint> points) {
        AccessibleObject member = member(type, entry, target.member());
        String where = target.member() + " of class " + type.getName();
        String name = Naming.absolute(entry.name());
        boolean known = naming.has(name);
        if (UNSUPPORTED.contains(entry.kind()) && !known) {
            InjectMessages.LOG.notHere(where, PlanReader.element(entry));
            return;
        }
        Class<?> wanted = member instanceof Method setter ? setter.getParameterTypes()[0] : ((Field) member).getType();
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
