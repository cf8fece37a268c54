package io.millrace.standalone;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Command-line options that are declared as settings: the attribute {@code maxWaiting} of server.xml is {@code --max-waiting}. */
final class SettingOptions {

    private SettingOptions() {}

    static String name(Setting<?> setting) {
        return "--" + setting.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Returns the other options, followed by those of the settings. */
    static List<Option> behind(List<Setting<?>> settings, List<Option> others) {
        List<Option> all = new ArrayList<>(others);
        for (Setting<?> each : settings) {
            String byDefault = each.xmlDefault() == null ? "" : each.xmlDefault();
            String description = each.description() + (byDefault.isEmpty() ? "" : ". Default: " + byDefault);
            all.add(Option.of(name(each), value(each.byDefault()), description));
        }
        return all;
    }

    private static String value(@Nullable Object byDefault) {
        if (byDefault instanceof Duration) {
            return "MILLIS";
        }
        return byDefault instanceof Boolean
                ? "BOOLEAN"
                : byDefault instanceof Integer ? "N" : byDefault instanceof Collection<?> ? "LIST" : "TEXT";
    }

    /**
     * Reads the options of the settings.
     *
     * @throws UsageException if a value is invalid
     */
    static Settings read(List<Setting<?>> settings, Arguments from) throws UsageException {
        Settings all = Settings.DEFAULTS;
        for (Setting<?> each : settings) {
            all = read(all, each, name(each), from);
        }
        return all;
    }

    /**
     * Reads a setting from an option of another name; returns the settings unchanged if the option is absent.
     *
     * @throws UsageException if the value is invalid
     */
    static <T> Settings read(Settings to, Setting<T> setting, String option, Arguments from) throws UsageException {
        String text = from.text(option);
        return text == null ? to : to.with(setting, value(setting.type(), option, text));
    }

    /**
     * Parses the value of an option.
     *
     * @throws UsageException if it is invalid
     */
    static <T> T value(SettingType<T> type, String option, String text) throws UsageException {
        T value = type.read(text);
        if (value == null) {
            throw new UsageException(option + "=" + text + ": expected " + type.expected());
        }
        return value;
    }
}
