package io.millrace.standalone.differential.probe;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.NullUnmarked;

/**
 * Runs statements such as {@code req.getHeader('a'); c = x.cookie('a', 'b'); res.addCookie(c)}, which a request brings in a header,
 * escaped as in a form. Each answer becomes a line of the trace. What a statement throws is noted, and the next one runs; a statement
 * that begins with {@code ^} ends the script with what it throws. Texts stand between ', " or `.
 */
@NullUnmarked
public final class Script {

    /** Ends a script with what the application is to throw. */
    @SuppressWarnings("serial")
    static final class Raised extends RuntimeException {
        Raised(Throwable cause) {
            super(cause);
        }
    }

    /** A method's answer when there is none. */
    private enum Nothing {
        NOTHING
    }

    private final String name;
    private final String label;
    private final Map<String, Object> variables = new HashMap<>();

    private String text = "";
    private int at;

    Script(String name, String label) {
        this.name = name;
        this.label = label;
    }

    /** The script of a header, or an empty one. */
    static String of(ServletRequest request, String header) {
        String escaped = ((HttpServletRequest) request).getHeader(header);
        return escaped == null ? "" : URLDecoder.decode(escaped, StandardCharsets.UTF_8);
    }

    Script with(String variable, Object value) {
        variables.put(variable, value);
        return this;
    }

    Object variable(String variable) {
        return variables.get(variable);
    }

    String caseName() {
        return name;
    }

    String label() {
        return label;
    }

    /** The same variables, for statements that run later. */
    Script later(String laterLabel) {
        Script later = new Script(name, laterLabel);
        later.variables.putAll(variables);
        later.variables.put("x", new Calls(later));
        return later;
    }

    void line(String line) {
        Trace.add(name, label + " " + line);
    }

    /** Runs all statements. */
    void run(String script) throws ServletException, IOException {
        String before = Trace.current();
        Trace.enter(name);
        try {
            for (String statement : split(script)) {
                statement(statement.strip());
            }
        } catch (Raised raised) {
            raise(raised.getCause());
        } finally {
            Trace.enter(before);
        }
    }

    static void raise(Throwable thrown) throws ServletException, IOException {
        if (thrown instanceof ServletException e) {
            throw e;
        } else if (thrown instanceof IOException e) {
            throw e;
        } else if (thrown instanceof RuntimeException e) {
            throw e;
        } else if (thrown instanceof Error e) {
            throw e;
        }
        throw new ServletException(thrown);
    }

    private static List<String> split(String script) {
        List<String> statements = new ArrayList<>();
        int from = 0;
        char quote = 0;
        for (int i = 0; i <= script.length(); i++) {
            char c = i == script.length() ? ';' : script.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"' || c == '`') {
                quote = c;
            } else if (c == ';') {
                statements.add(script.substring(from, i));
                from = i + 1;
            }
        }
        return statements;
    }

    private void statement(String statement) {
        if (statement.isEmpty()) {
            return;
        }
        boolean propagates = statement.startsWith("^");
        String code = propagates ? statement.substring(1).strip() : statement;
        String target = null;
        int equals = code.indexOf('=');
        if (equals > 0 && code.substring(0, equals).strip().chars().allMatch(Character::isLetterOrDigit)) {
            target = code.substring(0, equals).strip();
            code = code.substring(equals + 1).strip();
        }
        try {
            text = code;
            at = 0;
            Object value = expression();
            if (target != null) {
                variables.put(target, value);
            }
            if (!(value instanceof Nothing)) {
                line(code + " = " + Shown.of(value));
            }
        } catch (Raised raised) {
            throw raised;
        } catch (Throwable thrown) {
            line(code + " ! " + Shown.type(thrown));
            if (propagates) {
                throw new Raised(thrown);
            }
        }
    }

    private Object expression() throws Throwable {
        Object value = primary();
        while (at < text.length() && text.charAt(at) == '.') {
            at++;
            String method = word();
            List<Object> arguments = new ArrayList<>();
            if (at < text.length() && text.charAt(at) == '(') {
                at++;
                blanks();
                while (text.charAt(at) != ')') {
                    arguments.add(expression());
                    blanks();
                    if (text.charAt(at) == ',') {
                        at++;
                        blanks();
                    }
                }
                at++;
            }
            value = call(value, method, arguments);
        }
        return value;
    }

    private void blanks() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private String word() {
        int from = at;
        while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at);
    }

    private Object primary() {
        blanks();
        char first = text.charAt(at);
        if (first == '\'' || first == '"' || first == '`') {
            int end = text.indexOf(first, at + 1);
            String literal = text.substring(at + 1, end);
            at = end + 1;
            return literal;
        }
        if (first == '-' || Character.isDigit(first)) {
            int from = at++;
            word();
            String number = text.substring(from, at);
            return number.endsWith("L")
                    ? (Object) Long.valueOf(number.substring(0, number.length() - 1))
                    : (Object) Integer.valueOf(number);
        }
        String word = word();
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> {
                if (!variables.containsKey(word)) {
                    throw new IllegalArgumentException("unknown variable " + word + " in " + text);
                }
                yield variables.get(word);
            }
        };
    }

    private static Object call(Object target, String name, List<Object> arguments) throws Throwable {
        if (target == null) {
            throw new NullPointerException(name);
        }
        for (Method method : methods(target.getClass(), name, arguments.size())) {
            Object[] converted = convert(method.getParameterTypes(), arguments);
            if (converted != null) {
                try {
                    Object value = method.invoke(target, converted);
                    return method.getReturnType() == void.class ? Nothing.NOTHING : value;
                } catch (InvocationTargetException thrown) {
                    throw thrown.getCause();
                }
            }
        }
        throw new NoSuchMethodException(target.getClass() + "." + name + arguments);
    }

    /** Those that may be called: of public types, which are the API's for what the container makes. */
    private static List<Method> methods(Class<?> type, String name, int count) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            types.add(each);
            addInterfaces(each, types);
        }
        return types.stream()
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .filter(each -> each.getModule().isExported(each.getPackageName()))
                .filter(each -> !each.getName().startsWith("org.apache.catalina"))
                .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> method.getName().equals(name) && method.getParameterCount() == count)
                .sorted(Comparator.comparing(method -> Arrays.toString(method.getParameterTypes())))
                .toList();
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> types) {
        for (Class<?> each : type.getInterfaces()) {
            types.add(each);
            addInterfaces(each, types);
        }
    }

    private static Object[] convert(Class<?>[] types, List<Object> arguments) {
        Object[] converted = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            Object argument = arguments.get(i);
            Class<?> type = types[i];
            if (argument == null) {
                if (type.isPrimitive()) {
                    return null;
                }
            } else if (type == int.class || type == long.class || type == boolean.class) {
                boolean fits = type == int.class
                        ? argument instanceof Integer
                        : type == long.class ? argument instanceof Number : argument instanceof Boolean;
                if (!fits) {
                    return null;
                }
                argument = type == long.class ? (Object) ((Number) argument).longValue() : argument;
            } else if (!type.isInstance(argument)) {
                return null;
            }
            converted[i] = argument;
        }
        return converted;
    }
}
