package io.millrace.websocket.jsr;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the type argument of a class for the type variable of a generic interface, such as the T of {@code Decoder.Text<T>}. */
final class TypeArgument {

    private TypeArgument() {}

    /**
     * The argument's class; null if the class does not implement the interface or does not bind the variable, as a lambda.
     *
     * @param generic an interface with one type variable
     */
    static @Nullable Class<?> of(Class<?> implementation, Class<?> generic) {
        Type found = find(implementation, generic, new HashMap<>());
        return found == null ? null : raw(found);
    }

    /**
     * The type of a method's parameter, with a type variable of a superclass replaced by the subclass's argument.
     *
     * @param implementation the declaring class or a subclass
     */
    static Class<?> of(Class<?> implementation, Parameter parameter) {
        if (!(parameter.getParameterizedType() instanceof TypeVariable<?> variable)) {
            return parameter.getType();
        }
        Map<TypeVariable<?>, Type> bound = new HashMap<>();
        Class<?> declaring = parameter.getDeclaringExecutable().getDeclaringClass();
        Type found = find(implementation, declaring, bound) == null ? null : bound.get(variable);
        Class<?> known = found == null ? null : raw(found);
        return known == null ? parameter.getType() : known;
    }

    private static @Nullable Type find(Type type, Class<?> generic, Map<TypeVariable<?>, Type> bound) {
        Class<?> at = type instanceof ParameterizedType known ? (Class<?>) known.getRawType() : (Class<?>) type;
        if (type instanceof ParameterizedType known) {
            TypeVariable<?>[] variables = at.getTypeParameters();
            for (int i = 0; i < variables.length; i++) {
                Type argument = known.getActualTypeArguments()[i];
                bound.put(
                        variables[i],
                        argument instanceof TypeVariable<?> open ? bound.getOrDefault(open, open) : argument);
            }
        }
        if (at == generic) {
            return at.getTypeParameters().length == 0 ? null : bound.get(generic.getTypeParameters()[0]);
        }
        for (Type parent : at.getGenericInterfaces()) {
            Type found = find(parent, generic, bound);
            if (found != null) {
                return found;
            }
        }
        Type parent = at.getGenericSuperclass();
        return parent == null ? null : find(parent, generic, bound);
    }

    private static @Nullable Class<?> raw(Type type) {
        if (type instanceof Class<?> known) {
            return known;
        }
        if (type instanceof ParameterizedType known) {
            return (Class<?>) known.getRawType();
        }
        if (type instanceof GenericArrayType array) {
            Class<?> component = raw(array.getGenericComponentType());
            return component == null ? null : Array.newInstance(component, 0).getClass();
        }
        return null;
    }
}
