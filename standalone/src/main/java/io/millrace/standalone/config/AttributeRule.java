package io.millrace.standalone.config;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One attribute of Tomcat's vocabulary.
 *
 * @param byDefault Tomcat's default; null if there is none. For an attribute without effect, the value that needs no warning
 * @param reason why it has no effect, for the operator; null if that is obvious
 * @param assignment how it changes the settings of its element; null if the value is read directly
 */
record AttributeRule(
        String name,
        SettingType<?> type,
        @Nullable String byDefault,
        Effect effect,
        @Nullable String reason,
        @Nullable Assignment assignment) {

    enum Effect {
        /** Does what Tomcat's documentation says. */
        WORKS,
        /** Ignored with a warning: permitted only if this admits no client that Tomcat would refuse. */
        NONE,
        /** Ignored without a warning: tuning of Tomcat's implementation that has no counterpart here. */
        MOOT
    }

    /** Applies an attribute to settings. */
    interface Assignment {
        /**
         * Returns the settings with the attribute applied.
         *
         * @param text accepted by the attribute's type
         * @param element the other attributes of its element
         */
        Settings set(Settings settings, String text, Values element);
    }

    /** The attributes of settings. */
    static List<AttributeRule> of(List<Setting<?>> settings) {
        return settings.stream().map(AttributeRule::of).toList();
    }

    static AttributeRule of(Setting<?> setting) {
        return sets(
                setting.name(),
                setting.type(),
                setting.xmlDefault(),
                (settings, text, element) -> settings.withText(setting, text));
    }

    /** Another name of a setting. If several names are set, the last one in the vocabulary takes effect. */
    static AttributeRule alias(String name, Setting<?> setting) {
        return sets(name, setting.type(), null, of(setting).assignment());
    }

    /** An attribute that affects settings of other names. */
    static AttributeRule sets(
            String name, SettingType<?> type, @Nullable String byDefault, @Nullable Assignment assignment) {
        return new AttributeRule(name, type, byDefault, Effect.WORKS, null, assignment);
    }

    /** The attribute of a setting, with another default. */
    static AttributeRule of(Setting<?> setting, String byDefault) {
        return sets(setting.name(), setting.type(), byDefault, of(setting).assignment());
    }

    static AttributeRule works(String name, SettingType<?> type, @Nullable String byDefault) {
        return new AttributeRule(name, type, byDefault, Effect.WORKS, null, null);
    }

    /** Text attributes without a default. */
    static List<AttributeRule> texts(String... names) {
        return Stream.of(names).map(name -> works(name, SettingType.TEXT, null)).toList();
    }

    static AttributeRule none(String name, SettingType<?> type) {
        return new AttributeRule(name, type, null, Effect.NONE, null, null);
    }

    /** @param actual the value that describes what the server does, which needs no warning */
    static AttributeRule none(String name, SettingType<?> type, String actual, String reason) {
        return new AttributeRule(name, type, actual, Effect.NONE, reason, null);
    }

    /**
     * An attribute that restricts access in Tomcat but is not supported here: any value but the harmless one is an error.
     *
     * @param harmless the value that restricts nothing; empty if there is none, so that the attribute must be removed
     * @param advice why, and what to write instead
     */
    static AttributeRule only(String name, String harmless, String advice) {
        String expected = harmless.isEmpty() ? "it to be left out" : harmless;
        return works(
                name,
                SettingType.text(
                        expected + ": " + advice,
                        value -> !harmless.isEmpty() && value.strip().equalsIgnoreCase(harmless)),
                null);
    }

    /** The class of an element, of which only Tomcat's own are known: another one is ignored with a warning. */
    static AttributeRule className(String... tomcats) {
        SettingType<?> known = SettingType.TEXT.remarking(
                name -> Set.of(tomcats).contains(name.strip()) ? null : "is ignored: custom classes are not loaded");
        return works("className", known, null);
    }

    static AttributeRule moot(String name) {
        return new AttributeRule(name, SettingType.TEXT, null, Effect.MOOT, null, null);
    }
}
