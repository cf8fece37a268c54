package io.millrace.servlet.filter;

import io.millrace.net.AddressSet;
import io.millrace.servlet.log.ServletLog;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.text.EditDistance;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * The init-params of one filter. An invalid value prevents the application's start. Names are those of Tomcat's documentation,
 * and a missing or empty parameter has Tomcat's default.
 */
final class FilterParameters {

    private static final int FORBIDDEN = 403;

    private final FilterConfig config;

    private FilterParameters(FilterConfig config) {
        this.config = config;
    }

    /**
     * The parameters of a filter that restricts access.
     *
     * @throws ServletException if there is an unknown parameter: if ignored, it would not restrict access
     */
    static FilterParameters strict(FilterConfig config, String... known) throws ServletException {
        List<String> names = List.of(known);
        for (String name : unknown(config, names)) {
            throw new ServletException("the filter has no init-param " + name + EditDistance.suggestion(name, names)
                    + (names.isEmpty() ? "; it has none" : "; expected " + String.join(", ", names)));
        }
        return new FilterParameters(config);
    }

    /** The parameters of a filter that does not restrict access: an unknown parameter is logged as a warning, as in Tomcat. */
    static FilterParameters lenient(FilterConfig config, String... known) {
        for (String name : unknown(config, List.of(known))) {
            ServletLog.FILTER.filterParameterIgnored(name, config.getFilterName());
        }
        return new FilterParameters(config);
    }

    private static Set<String> unknown(FilterConfig config, Collection<String> known) {
        Set<String> names = new TreeSet<>(Collections.list(config.getInitParameterNames()));
        names.removeAll(known);
        return names;
    }

    /** The value; null if it is missing or empty. */
    @Nullable
    String text(String name) {
        String value = config.getInitParameter(name);
        return value == null || value.isEmpty() ? null : value;
    }

    String text(String name, String otherwise) {
        String value = text(name);
        return value == null ? otherwise : value.strip();
    }

    /**
     * The values of parameters that are declared as settings.
     *
     * @throws ServletException if a value is invalid
     */
    Settings settings(List<Setting<?>> declared) throws ServletException {
        Settings settings = Settings.DEFAULTS;
        for (Setting<?> each : declared) {
            String value = text(each.name(), "");
            if (!value.isEmpty() && !each.type().accepts(value)) {
                throw refused(each.name(), value, each.type().expected());
            }
            settings = value.isEmpty() ? settings : settings.withText(each, value);
        }
        return settings;
    }

    boolean flag(String name, boolean otherwise) throws ServletException {
        String value = text(name, String.valueOf(otherwise));
        if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
            return Boolean.parseBoolean(value);
        }
        throw refused(name, value, "true or false");
    }

    int number(String name, int otherwise, int least, int most) throws ServletException {
        String value = text(name, String.valueOf(otherwise));
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException none) {
            // refused below
        }
        throw refused(name, value, "a number from " + least + " to " + most);
    }

    /** The elements separated by commas, stripped; those of {@code otherwise} if it is missing. */
    List<String> list(String name, String otherwise) {
        return Arrays.stream(text(name, otherwise).split(",", -1))
                .map(String::strip)
                .filter(element -> !element.isEmpty())
                .toList();
    }

    int denyStatus() throws ServletException {
        return number("denyStatus", FORBIDDEN, 400, 599);
    }

    @Nullable
    Pattern pattern(String name) throws ServletException {
        String value = text(name);
        try {
            return value == null ? null : Pattern.compile(value);
        } catch (PatternSyntaxException e) {
            throw new ServletException(
                    "the filter's init-param " + name + " is not a regular expression: " + e.getDescription(), e);
        }
    }

    AddressSet addresses(String name) throws ServletException {
        String value = text(name);
        try {
            return AddressSet.parse(value == null ? "" : value);
        } catch (IllegalArgumentException e) {
            throw new ServletException("the filter's init-param " + name + ": " + e.getMessage(), e);
        }
    }

    static ServletException refused(String name, String found, String expected) {
        return new ServletException("the filter's init-param " + name + " is \"" + found + "\"; expected " + expected);
    }
}
