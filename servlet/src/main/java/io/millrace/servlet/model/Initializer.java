package io.millrace.servlet.model;

import java.util.Set;
import javax.servlet.ServletContainerInitializer;
import org.jspecify.annotations.Nullable;

/**
 * A ServletContainerInitializer to call before any listener (Servlet 3.1, 8.2.4), in the order of the list it is in.
 *
 * @param instance created by its no-argument constructor
 * @param types the second argument of {@code onStartup}: the classes that match its HandlesTypes; null if it names none,
 *     or if none matched
 */
public record Initializer(
        ServletContainerInitializer instance, @Nullable Set<Class<?>> types) {}
