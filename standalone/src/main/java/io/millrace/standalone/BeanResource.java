package io.millrace.standalone;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.naming.NamingException;

/**
 * Creates a JavaBean from a Resource, as Tomcat's {@code org.apache.naming.factory.BeanFactory} does: with the constructor
 * of its type that has no parameters, and with the other attributes as its properties.
 */
final class BeanResource {

    static final String FACTORY = "org.apache.naming.factory.BeanFactory";

    /** Does the same, and is in tomcat-jdbc.jar. */
    static final String GENERIC_FACTORY = "org.apache.tomcat.jdbc.naming.GenericNamingResourcesFactory";

    /** Attributes of Resource itself. */
    private static final Set<String> OWN =
            Set.of("name", "type", "factory", "auth", "scope", "singleton", "closeMethod", "description");

    /** The parameter types of setters, in order of preference among overloads. */
    private static final Class<?>[] KINDS = {
        String.class,
        boolean.class,
        Boolean.class,
        int.class,
        Integer.class,
        long.class,
        Long.class,
        double.class,
        Double.class,
        float.class,
        Float.class,
        short.class,
        Short.class,
        byte.class,
        Byte.class,
        char.class,
        Character.class
    };

    private BeanResource() {}

    /** @throws NamingException if the attributes do not fit the type; the message is for the operator */
    static Object make(String name, Map<String, String> attributes, ClassLoader application) throws Exception {
        if (attributes.containsKey("forceString")) {
            // it would let a Resource call any method with one String parameter; Tomcat removed it in 9.0.63
            throw new NamingException(
                    "Resource " + name + ": forceString is not supported; the type needs a setter instead");
        }
        String type = attributes.get("type");
        if (type == null) {
            throw new NamingException("Resource " + name + " has no type; expected the class of its object");
        }
        Object bean =
                Class.forName(type, true, application).getDeclaredConstructor().newInstance();
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            if (!OWN.contains(attribute.getKey())) {
                set(name, bean, attribute.getKey(), attribute.getValue());
            }
        }
        return bean;
    }

    private static void set(String resource, Object bean, String property, String value) throws Exception {
        String setter = "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
        for (Class<?> kind : KINDS) {
            Method method = Arrays.stream(bean.getClass().getMethods())
                    .filter(each -> each.getName().equals(setter)
                            && each.getParameterCount() == 1
                            && each.getParameterTypes()[0].equals(kind))
                    .findFirst()
                    .orElse(null);
            if (method != null) {
                method.invoke(bean, converted(resource, property, value.strip(), kind));
                return;
            }
        }
        throw new NamingException(
                "Resource " + resource + ": " + bean.getClass().getName() + " has no " + setter
                        + " that takes a string, a number, a character or a boolean");
    }

    private static Object converted(String resource, String property, String value, Class<?> kind)
            throws NamingException {
        try {
            return switch (kind.getSimpleName()) {
                case "String" -> value;
                case "boolean", "Boolean" -> Boolean.valueOf(value);
                case "int", "Integer" -> Integer.valueOf(value);
                case "long", "Long" -> Long.valueOf(value);
                case "double", "Double" -> Double.valueOf(value);
                case "float", "Float" -> Float.valueOf(value);
                case "short", "Short" -> Short.valueOf(value);
                case "byte", "Byte" -> Byte.valueOf(value);
                default -> value.charAt(0);
            };
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new NamingException("Resource " + resource + ": " + property + "=\"" + value + "\" is not of type "
                    + kind.getSimpleName());
        }
    }
}
