package io.millrace.servlet.filter;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;

/** One of {@code noNonceURLPatterns}: links that get no nonce, such as those of images, so that they can be cached. */
@FunctionalInterface
interface LinkPattern {

    /**
     * Whether a link gets no nonce.
     *
     * @param url as passed by the application
     */
    boolean matches(String url, ServletContext context);

    /** A regular expression that matches the whole link. */
    static LinkPattern expression(String parameter, String expression) throws ServletException {
        try {
            Pattern pattern = Pattern.compile(expression);
            return (url, context) -> pattern.matcher(url).matches();
        } catch (PatternSyntaxException e) {
            throw FilterParameters.refused(parameter, expression, "a regular expression between slashes");
        }
    }

    /** A pattern with {@code *} at its beginning or end, or {@code mime:} and a type, such as {@code mime:image/*}. */
    static LinkPattern of(String text) {
        if (text.startsWith("mime:")) {
            LinkPattern type = wildcard(text.substring("mime:".length()).toLowerCase(Locale.ROOT));
            return (url, context) -> {
                String found = context.getMimeType(url.split("[?#;]", 2)[0]);
                return found != null && type.matches(found.toLowerCase(Locale.ROOT), context);
            };
        }
        return wildcard(text);
    }

    private static LinkPattern wildcard(String text) {
        if (text.startsWith("*")) {
            String end = text.substring(1);
            return (url, context) -> url.endsWith(end);
        }
        if (text.endsWith("*")) {
            String beginning = text.substring(0, text.length() - 1);
            return (url, context) -> url.startsWith(beginning);
        }
        return (url, context) -> url.equals(text);
    }
}
