package io.millrace.servlet.request;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A response's content type, character encoding and locale, which depend on each other (Servlet 3.1, 5.5). */
final class ContentTypeState {

    /** Without the charset. */
    private @Nullable String type;

    /** The field's value; null if it has to be assembled again. */
    private @Nullable String field;

    /** As set, by any API method. */
    private @Nullable String charset;

    /** Set explicitly, so that setLocale no longer changes it. */
    private boolean explicit;

    private @Nullable Locale locale;

    void type(@Nullable String value, boolean fixed) {
        field = null;
        if (value == null) {
            type = null;
            if (!fixed) {
                charset(null);
            }
            return;
        }
        Parsed parsed = Parsed.of(value);
        type = parsed.type;
        if (parsed.charset != null && !fixed) {
            charset = parsed.charset;
            explicit = true;
            field = parsed.field;
        }
    }

    void charset(@Nullable String name) {
        field = null;
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
            field = null;
            charset = encoding;
        }
    }

    /** Sets the charset of the new writer if none is set, so that the field shows it. */
    void fix(String name) {
        if (charset == null) {
            field = null;
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
        String known = field;
        String bare = type;
        if (known == null && bare != null) {
            known = Parsed.field(bare, charset);
            field = known;
        }
        return known;
    }

    /**
     * A parsed Content-Type. Cached, because applications set few different ones.
     *
     * @param type without the charset
     * @param charset null if there is none
     * @param field the normalized value
     */
    private record Parsed(String type, @Nullable String charset, String field) {

        /** Bounds the cache: an application may generate types. */
        private static final int MOST = 64;

        private static final Map<String, Parsed> KNOWN = new ConcurrentHashMap<>();

        static Parsed of(String value) {
            Parsed known = KNOWN.get(value);
            if (known != null) {
                return known;
            }
            String named = MediaType.lastCharset(value);
            String bare = MediaType.withoutCharset(value);
            Parsed parsed = new Parsed(bare, named, field(bare, named));
            if (KNOWN.size() < MOST) {
                KNOWN.put(value, parsed);
            }
            return parsed;
        }

        /** With the charset, unless its name would need quotes: no charset has such a name. */
        static String field(String type, @Nullable String charset) {
            boolean shown = charset != null
                    && !charset.isEmpty()
                    && charset.chars().allMatch(c -> c > ' ' && c < 0x7f && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0);
            return shown ? type + ";charset=" + charset : type;
        }
    }
}
