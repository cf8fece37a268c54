package io.millrace.servlet.request;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response's content type, character encoding and locale, which depend on each other (Servlet 3.1, 5.4). */
final class ContentTypeState {

    /** Without the charset. */
    private @Nullable String type;

    /** As set, by whatever means. */
    private @Nullable String charset;

    /** Set by name, so that a locale no longer changes it. */
    private boolean explicit;

    private @Nullable Locale locale;

    void type(@Nullable String value, boolean fixed) {
        String named = MediaType.charset(value);
        type = value == null || named == null ? value : MediaType.withoutCharset(value);
        if (named != null && !fixed) {
            charset = named;
            explicit = true;
        }
        if (value == null && !fixed) {
            charset = null;
            explicit = false;
        }
    }

    void charset(@Nullable String name) {
        charset = name;
        explicit = name != null;
    }

    void locale(Locale value, Map<String, String> encodings, boolean fixed) {
        locale = value;
        String encoding = encodings.get(value.toString());
        if (encoding == null) {
            encoding = encodings.get(value.toLanguageTag());
        }
        if (encoding == null) {
            encoding = encodings.get(value.getLanguage());
        }
        if (encoding != null && !explicit && !fixed) {
            charset = encoding;
        }
    }

    /** The writer was made: its encoding must be seen in the header. */
    void fix(String name) {
        if (charset == null) {
            charset = name;
        }
    }

    @Nullable
    String charset() {
        return charset;
    }

    @Nullable
    Locale locale() {
        return locale;
    }

    /** The field's value; null if no type is set. */
    @Nullable
    String field() {
        return type == null || charset == null ? type : type + ";charset=" + charset;
    }
}
