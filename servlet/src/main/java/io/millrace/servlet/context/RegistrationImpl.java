package io.millrace.servlet.context;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.servlet.Registration;
import org.jspecify.annotations.Nullable;

/** The common part of servlet and filter registrations: name, class, parameters. Immutable once the context has started. */
abstract class RegistrationImpl implements Registration.Dynamic {

    private final String name;
    private final @Nullable String className;
    private final Map<String, String> parameters;
    final Phase phase;

    RegistrationImpl(String name, @Nullable String className, Map<String, String> parameters, Phase phase) {
        this.name = name;
        this.className = className;
        this.parameters = parameters;
        this.phase = phase;
    }

    @Override
    public final String getName() {
        return name;
    }

    @Override
    public final @Nullable String getClassName() {
        return className;
    }

    @Override
    public final boolean setInitParameter(String parameter, String value) {
        phase.requireConfigurable();
        if (parameter == null || value == null) {
            throw new IllegalArgumentException("init parameter " + parameter + " = " + value + " of " + name);
        }
        return parameters.putIfAbsent(parameter, value) == null;
    }

    @Override
    public final @Nullable String getInitParameter(String parameter) {
        return parameters.get(parameter);
    }

    @Override
    public final Set<String> setInitParameters(Map<String, String> values) {
        phase.requireConfigurable();
        Set<String> conflicts = new LinkedHashSet<>(values.keySet());
        conflicts.retainAll(parameters.keySet());
        if (conflicts.isEmpty()) {
            values.forEach(this::setInitParameter);
        }
        return conflicts;
    }

    @Override
    public final Map<String, String> getInitParameters() {
        return new LinkedHashMap<>(parameters);
    }
}
