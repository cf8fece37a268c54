package io.millrace.jmx;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an MBean is called, shows and does. Its values are read on the threads of whoever asks. Built by one thread, then immutable; names no
 * type of JMX, so that describing one loads nothing of it.
 */
public final class Bean {

    /** What an operation does with its arguments, on the thread of whoever asks. */
    @FunctionalInterface
    public interface Action {

        /**
         * Runs it.
         *
         * @return what JMX knows: null, a string, a number, a truth value
         * @throws Exception whose message is for the operator
         */
        @Nullable
        Object run(List<String> arguments) throws Exception;
    }

    record Attribute(String name, Class<?> type, String description, Supplier<?> value) {}

    /** @param changes whether it changes something, so that calls are logged */
    record Operation(
            String name,
            String description,
            Class<?> returns,
            List<String> parameters,
            boolean changes,
            Action action) {}

    private final Map<String, String> keys = new LinkedHashMap<>();
    private final List<Attribute> attributes = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private final String description;

    private Bean(String description) {
        this.description = description;
    }

    /**
     * A bean without attributes and operations.
     *
     * @param keys the key properties of its name and their values, in the order in which they are shown, such as {@code "type", "Manager"};
     *     values may have any characters
     */
    public static Bean of(String description, String... keys) {
        Bean bean = new Bean(description);
        for (int i = 0; i < keys.length; i += 2) {
            bean.keys.put(keys[i], keys[i + 1]);
        }
        return bean;
    }

    /** Adds a key property; its value is put into quotation marks if it needs them. */
    public Bean key(String key, String value) {
        keys.put(key, value);
        return this;
    }

    /** Adds a key property whose value is in quotation marks even if it need not be, as in some of Tomcat's names. */
    public Bean quoted(String key, String value) {
        keys.put(key, quote(value));
        return this;
    }

    /** Adds an attribute that can be read. */
    public <T> Bean attribute(String name, Class<T> type, String meaning, Supplier<? extends @Nullable T> value) {
        attributes.add(new Attribute(name, type, meaning, value));
        return this;
    }

    /** Adds an operation that changes nothing, with one parameter. */
    public Bean question(String name, String meaning, Class<?> returns, String parameter, Action action) {
        operations.add(new Operation(name, meaning, returns, List.of(parameter), false, action));
        return this;
    }

    /** Adds an operation that changes something, and returns nothing. Calls are logged, without their arguments. */
    public Bean change(String name, String meaning, List<String> parameters, Action action) {
        operations.add(new Operation(name, meaning, void.class, List.copyOf(parameters), true, action));
        return this;
    }

    /** Its name in a domain, as JMX writes it. */
    String nameIn(String domain) {
        return keys.entrySet().stream()
                .map(key -> key.getKey() + "=" + quoteIfNeeded(key.getValue()))
                .collect(Collectors.joining(",", domain + ":", ""));
    }

    private static String quoteIfNeeded(String value) {
        boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return isQuoted || value.chars().noneMatch(each -> ",=:\"*?\n".indexOf(each) >= 0) ? value : quote(value);
    }

    /** As {@code ObjectName.quote} does it, without loading that. */
    private static String quote(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            if (each == '\n') {
                text.append("\\n");
                continue;
            }
            if ("\\\"*?".indexOf(each) >= 0) {
                text.append('\\');
            }
            text.append(each);
        }
        return text.append('"').toString();
    }

    List<Attribute> attributes() {
        return attributes;
    }

    List<Operation> operations() {
        return operations;
    }

    String description() {
        return description;
    }
}
