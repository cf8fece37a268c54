package io.millrace.settings;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Values of settings: what was not set has the setting's default. Immutable; {@code with} makes a changed copy. */
public final class Settings {

    /** Nothing set. */
    public static final Settings DEFAULTS = new Settings(new Object[0]);

    /** By the index of their settings; null where nothing was set. */
    private final @Nullable Object[] values;

    private Settings(@Nullable Object[] values) {
        this.values = values;
    }

    /**
     * The value that was set, or the setting's default.
     *
     * @throws IllegalStateException if there is neither
     */
    public <T> T get(Setting<T> setting) {
        T value = find(setting);
        if (value == null) {
            throw new IllegalStateException(setting + " is not set and has no default");
        }
        return value;
    }

    /** The same; null where there is neither. */
    @SuppressWarnings("unchecked") // only with() writes there, which takes a T
    public <T> @Nullable T find(Setting<T> setting) {
        int index = setting.index();
        Object value = index < values.length ? values[index] : null;
        return value == null ? setting.byDefault() : (T) value;
    }

    /**
     * The same with another value.
     *
     * @throws IllegalArgumentException if it is beyond the setting's limits, naming them
     */
    public <T> Settings with(Setting<T> setting, T value) {
        int index = setting.index();
        @Nullable Object[] copy = Arrays.copyOf(values, Math.max(values.length, index + 1));
        copy[index] = setting.type().checked(setting.name(), value);
        return new Settings(copy);
    }

    /**
     * The same with the value that this text means.
     *
     * @throws IllegalArgumentException if it means none, saying what was expected
     */
    public <T> Settings withText(Setting<T> setting, String text) {
        T value = setting.type().read(text);
        if (value == null) {
            throw new IllegalArgumentException(setting.name() + " is \"" + text + "\"; expected "
                    + setting.type().expected());
        }
        return with(setting, value);
    }

    /** The same, with the other's values where those were set. */
    public Settings overriddenBy(Settings other) {
        @Nullable Object[] merged = Arrays.copyOf(values, Math.max(values.length, other.values.length));
        for (int i = 0; i < other.values.length; i++) {
            merged[i] = other.values[i] == null ? merged[i] : other.values[i];
        }
        return new Settings(merged);
    }

    /** Was it set, even if to its default? */
    public boolean isSet(Setting<?> setting) {
        return setting.index() < values.length && values[setting.index()] != null;
    }
}
