package io.millrace.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings that one class declares, in order. Only filled by the static initializer of that class. */
public final class SettingGroup {

    private final List<Setting<?>> settings = new ArrayList<>();

    /** An empty group. */
    public SettingGroup() {}

    /**
     * Declares a setting.
     *
     * @param name the attribute's name in server.xml
     * @throws IllegalArgumentException if the default is outside the type's limits
     */
    public <T> Setting<T> add(String name, SettingType<T> type, T byDefault) {
        return add(name, type, byDefault, type.text(byDefault));
    }

    /**
     * Declares a setting whose default in server.xml differs from that in programs, as in Tomcat, or cannot be written
     * as a text.
     *
     * @param xmlDefault the default in server.xml; null if it is the same as in programs, and cannot be written as a
     *     text
     */
    public <T> Setting<T> add(String name, SettingType<T> type, T byDefault, @Nullable String xmlDefault) {
        return add(new Setting<>(name, type, type.checked(name, byDefault), xmlDefault, null));
    }

    /**
     * Declares a setting that is also a command-line option.
     *
     * @param description a phrase for the command's help, without the default
     * @throws IllegalArgumentException if the default is outside the type's limits
     */
    public <T> Setting<T> option(String name, SettingType<T> type, T byDefault, String description) {
        return add(new Setting<>(name, type, type.checked(name, byDefault), type.text(byDefault), description));
    }

    /** Declares a setting without a default; see {@link Settings#find}. */
    public <T> Setting<T> optional(String name, SettingType<T> type) {
        return add(new Setting<>(name, type, null, null, null));
    }

    private <T> Setting<T> add(Setting<T> setting) {
        settings.add(setting);
        return setting;
    }

    /** The names of settings for a message, such as {@code protocols, ciphers}. */
    public static String names(Collection<? extends Setting<?>> settings) {
        return settings.stream().map(Setting::name).collect(Collectors.joining(", "));
    }

    /** The declared settings. */
    public List<Setting<?>> settings() {
        return List.copyOf(settings);
    }
}
