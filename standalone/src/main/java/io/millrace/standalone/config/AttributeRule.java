package io.millrace.standalone.config;

import org.jspecify.annotations.Nullable;

/**
 * One attribute of Tomcat's vocabulary.
 *
 * @param byDefault Tomcat's default; null if there is none
 */
record AttributeRule(String name, ValueKind kind, @Nullable String byDefault, Effect effect) {

    enum Effect {
        /** Does what Tomcat's documentation says. */
        WORKS,
        /** Accepted so that the file loads; said once that nothing follows from it. */
        NONE,
        /** Accepted without a word: a tuning knob of Tomcat's own machinery that nobody misses here. */
        MOOT
    }

    static AttributeRule works(String name, ValueKind kind, @Nullable String byDefault) {
        return new AttributeRule(name, kind, byDefault, Effect.WORKS);
    }

    static AttributeRule none(String name, ValueKind kind) {
        return new AttributeRule(name, kind, null, Effect.NONE);
    }

    static AttributeRule moot(String name) {
        return new AttributeRule(name, ValueKind.TEXT, null, Effect.MOOT);
    }
}
