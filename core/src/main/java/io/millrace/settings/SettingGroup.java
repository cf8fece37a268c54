package io.millrace.settings;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings that one class declares, in their order. Filled by the initializers of that class, and by nothing else. */
public final class SettingGroup {

    private final List<Setting<?>> settings = new ArrayList<>();

    /** An empty group. */
    public SettingGroup() {}

    /**
     * Declares a setting.
     *
     * @param name the attribute's in server.xml
     * @throws IllegalArgumentException if the default is beyond the limits of the type
     */
    public <T> Setting<T> add(String name, SettingType<T> type, T byDefault) {
        return add(name, type, byDefault, type.text(byDefault));
    }

    /**
     * Declares a setting whose default in server.xml is another than in programs, as Tomcat has it, or has no text.
     *
     * @param xmlDefault what a missing attribute means; null if that is the default, which no text expresses
     */
    public <T> Setting<T> add(String name, SettingType<T> type, T byDefault, @Nullable String xmlDefault) {
        return add(new Setting<>(name, type, type.checked(name, byDefault), xmlDefault, null));
    }

    /**
     * Declares a setting that is an option of a command as well as an attribute.
     *
     * @param description a phrase for the command's help, without the default
     * @throws IllegalArgumentException if the default is beyond the limits of the type
     */
    public <T> Setting<T> option(String name, SettingType<T> type, T byDefault, String description) {
        return add(new Setting<>(name, type, type.checked(name, byDefault), type.text(byDefault), description));
    }

    /** Declares a setting that has no value unless it is set: {@link Settings#find} tells. */
    public <T> Setting<T> optional(String name, SettingType<T> type) {
        return add(new Setting<>(name, type, null, null, null));
    }

    private <T> Setting<T> add(Setting<T> setting) {
        settings.add(setting);
        return setting;
    }

    /** Those declared. */
    public List<Setting<?>> settings() {
        return List.copyOf(settings);
    }
}
