package io.millrace.standalone.config.schema;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.xml.XmlElement;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One attribute of a kind of element.
 *
 * @param <T> the type of its values
 * @param byDefault Tomcat's default; null if there is none. For an attribute without effect, the value that needs no warning
 * @param reason why it has no effect, for the operator; null if that is obvious
 * @param assignment how it changes the settings of its element; null if only its kind of element looks at it
 * @param needed whether less would be protected without its value
 */
public record Attribute<T>(
        String name,
        SettingType<T> type,
        @Nullable String byDefault,
        Effect effect,
        @Nullable String reason,
        @Nullable Assignment<T> assignment,
        boolean needed) {

    /** What becomes of it. */
    public enum Effect {
        /** Does what Tomcat's documentation says. */
        WORKS,
        /** Ignored with a warning: permitted only if this admits no client that Tomcat would refuse. */
        NONE,
        /** Ignored without a warning: tuning of Tomcat's implementation that has no counterpart here. */
        MOOT
    }

    /** How a value changes the settings of its element. */
    public interface Assignment<T> {

        /**
         * The settings with the value.
         *
         * @param element with its other attributes
         */
        Settings set(Settings settings, T value, XmlElement element);
    }

    /** A value that was read, to be applied to the settings of its element. */
    interface Change {

        Settings apply(Settings settings, XmlElement element);
    }

    /** The attributes of settings. */
    public static List<Attribute<?>> of(List<Setting<?>> settings) {
        return settings.stream().<Attribute<?>>map(Attribute::of).toList();
    }

    /** The attributes of several lists, in their order. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static List<Attribute<?>> all(List<Attribute<?>>... lists) {
        return Stream.of(lists).<Attribute<?>>flatMap(List::stream).toList();
    }

    /** The attribute of a setting. */
    public static <T> Attribute<T> of(Setting<T> setting) {
        return of(setting, setting.xmlDefault());
    }

    /** The attribute of a setting, with another default. */
    public static <T> Attribute<T> of(Setting<T> setting, @Nullable String byDefault) {
        return sets(setting.name(), setting.type(), byDefault, to(setting));
    }

    /** Another name of a setting. If several names are set, the last one of the kind takes effect. */
    public static <T> Attribute<T> alias(String name, Setting<T> setting) {
        return sets(name, setting.type(), null, to(setting));
    }

    private static <T> Assignment<T> to(Setting<T> setting) {
        return (settings, value, element) -> settings.with(setting, value);
    }

    /** An attribute that affects settings of other names. */
    public static <T> Attribute<T> sets(
            String name, SettingType<T> type, @Nullable String byDefault, @Nullable Assignment<T> assignment) {
        return new Attribute<>(name, type, byDefault, Effect.WORKS, null, assignment, false);
    }

    /** An attribute that is ignored with a warning, unless it has the value that describes what the server does. */
    public static Attribute<String> ignored(String name, @Nullable String actual, @Nullable String reason) {
        return new Attribute<>(name, SettingType.TEXT, actual, Effect.NONE, reason, null, false);
    }

    /** An attribute that is ignored without a warning. */
    static Attribute<String> moot(String name) {
        return new Attribute<>(name, SettingType.TEXT, null, Effect.MOOT, null, null, false);
    }

    /**
     * An attribute that restricts access in Tomcat but is not supported here: any value but the harmless one is an error.
     *
     * @param harmless the value that restricts nothing; null if there is none, so that the attribute must be removed
     * @param advice why, and what to write instead
     */
    static Attribute<String> refused(String name, @Nullable String harmless, String advice) {
        String expected = harmless == null ? "it to be left out" : harmless;
        return sets(
                name,
                SettingType.text(
                        expected + ": " + advice,
                        value -> harmless != null && value.strip().equalsIgnoreCase(harmless)),
                null,
                null);
    }

    /** The class of an element, of which only Tomcat's own are known: another one is ignored with a warning. */
    public static Attribute<String> className(String... tomcats) {
        SettingType<String> known = SettingType.TEXT.remarking(
                name -> Set.of(tomcats).contains(name.strip()) ? null : "is ignored: custom classes are not loaded");
        return sets("className", known, null, null);
    }

    /** The same attribute, without whose value less would be protected. */
    public Attribute<T> asNeeded() {
        return new Attribute<>(name, type, byDefault, effect, reason, assignment, true);
    }

    /** The same attribute under an old name, and without the default of a setting, which would override the new name's value. */
    public Attribute<T> named(String old) {
        return new Attribute<>(old, type, assignment == null ? byDefault : null, effect, reason, assignment, needed);
    }

    /** Reads a text; null if its type does not accept it. */
    @Nullable
    Change read(String text) {
        T value = type.read(text);
        Assignment<T> to = assignment;
        if (value == null) {
            return null;
        }
        return to == null ? (settings, element) -> settings : (settings, element) -> to.set(settings, value, element);
    }

    /** The change by its default; none if it has no default. */
    Change readDefault() {
        return byDefault == null || assignment == null
                ? (settings, element) -> settings
                : Objects.requireNonNull(read(byDefault), name);
    }
}
