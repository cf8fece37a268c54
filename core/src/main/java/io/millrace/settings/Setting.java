package io.millrace.settings;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One setting: its name, type, limits and default. Declared by {@link SettingGroup#add} in a constant of the class whose
 * behaviour it changes, and compared by identity; {@link Settings} hold its value.
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

    /** The attribute's name in server.xml: Tomcat's, where Tomcat has it. */
    public String name() {
        return name;
    }

    /** What values it takes. */
    public SettingType<T> type() {
        return type;
    }

    /** Its value where nothing was said; null if it has none then. */
    public @Nullable T byDefault() {
        return byDefault;
    }

    /** The text that means the same in server.xml if the attribute is missing; null if there is none. */
    public @Nullable String xmlDefault() {
        return xmlDefault;
    }

    /** What the help of a command says of it, without its default; null if it is an option of none. */
    public @Nullable String description() {
        return description;
    }

    /** Its place in {@link Settings}. */
    int index() {
        return index;
    }

    @Override
    public String toString() {
        return name;
    }
}
