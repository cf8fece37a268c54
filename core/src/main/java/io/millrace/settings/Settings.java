package io.millrace.settings;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Values of settings. A setting that is not set has its default. Immutable; {@code with} returns a changed copy. */
public final class Settings {

    /** No setting is set. */
    public static final Settings DEFAULTS = new Settings(new Object[0]);

    /** Indexed by the settings' indexes; null for those that are not set. */
    private final @Nullable Object[] values;

    private Settings(@Nullable Object[] values) {
        this.values = values;
    }

    /**
     * The value of a setting, or its default.
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

    /** The value of a setting, or its default; null if there is neither. */
    @SuppressWarnings("unchecked") // only with() writes there, which takes a T
    public <T> @Nullable T find(Setting<T> setting) {
        int index = setting.index();
        Object value = index < values.length ? values[index] : null;
        return value == null ? setting.byDefault() : (T) value;
    }

    /**
     * The same settings with another value.
     *
     * @throws IllegalArgumentException if the value is outside the setting's limits, which the message names
     */
    public <T> Settings with(Setting<T> setting, T value) {
        int index = setting.index();
        @Nullable Object[] copy = Arrays.copyOf(values, Math.max(values.length, index + 1));
        copy[index] = setting.type().checked(setting.name(), value);
        return new Settings(copy);
    }

    /**
     * The same settings with another value of one of the known settings: those that the caller reads.
     *
     * @throws IllegalArgumentException if the setting is not a known one, which would have no effect, or the value is
     *     outside its limits
     */
    public <T> Settings with(Collection<? extends Setting<?>> known, Setting<T> setting, T value) {
        if (!known.contains(setting)) {
            throw new IllegalArgumentException(
                    setting + " would have no effect here; expected one of " + SettingGroup.names(known));
        }
        return with(setting, value);
    }

    /**
     * The same settings with another value, given as a text.
     *
     * @throws IllegalArgumentException if the text is invalid; the message says what was expected
     */
    public <T> Settings withText(Setting<T> setting, String text) {
        T value = setting.type().read(text);
        if (value == null) {
            throw new IllegalArgumentException(setting.name() + " is \"" + text + "\"; expected "
                    + setting.type().expected());
        }
        return with(setting, value);
    }

    /** The same settings, with the other's values where those are set. */
    public Settings overriddenBy(Settings other) {
        @Nullable Object[] merged = Arrays.copyOf(values, Math.max(values.length, other.values.length));
        for (int i = 0; i < other.values.length; i++) {
            merged[i] = other.values[i] == null ? merged[i] : other.values[i];
        }
        return new Settings(merged);
    }

    /** Whether the setting was set, even if to its default. */
    public boolean isSet(Setting<?> setting) {
        return setting.index() < values.length && values[setting.index()] != null;
    }
}
