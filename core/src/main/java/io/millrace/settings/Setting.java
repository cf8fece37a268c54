package io.millrace.settings;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A setting: its name, type, limits and default. Declared with {@link SettingGroup#add} in a constant of the class whose
 * behavior it changes, and compared by identity; {@link Settings} holds its value.
 *
 * @param <T> the type of its values
 */
public final class Setting<T> {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final int index = COUNT.getAndIncrement();
    private final String name;
    private final SettingType<T> type;
    private final @Nullable T byDefault;
    private final @Nullable String xmlDefault;
    private final @Nullable String description;

    Setting(
            String name,
            SettingType<T> type,
            @Nullable T byDefault,
            @Nullable String xmlDefault,
            @Nullable String description) {
        this.name = name;
        this.type = type;
        this.byDefault = byDefault;
        this.xmlDefault = xmlDefault;
        this.description = description;
    }

    /** The attribute's name in server.xml: Tomcat's, if Tomcat has it. */
    public String name() {
        return name;
    }

    /** The type of its values. */
    public SettingType<T> type() {
        return type;
    }

    /** The default value; null if there is none. */
    public @Nullable T byDefault() {
        return byDefault;
    }

    /** The default in server.xml as a text; null if there is none. */
    public @Nullable String xmlDefault() {
        return xmlDefault;
    }

    /** The description in the help of a command, without the default; null if it is not a command-line option. */
    public @Nullable String description() {
        return description;
    }

    /** Its index in {@link Settings}. */
    int index() {
        return index;
    }

    @Override
    public String toString() {
        return name;
    }
}
