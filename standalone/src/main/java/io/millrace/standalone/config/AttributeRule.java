package io.millrace.standalone.config;

import org.jspecify.annotations.Nullable;

/**
 * One attribute of Tomcat's vocabulary.
 *
 * @param byDefault Tomcat's default; null if there is none. Of one without effect, the value that asks for nothing else
 * @param reason why it has no effect, for the operator; null if that goes without saying
 */
record AttributeRule(
        String name,
        ValueKind kind,
        @Nullable String byDefault,
        Effect effect,
        @Nullable String reason) {

    enum Effect {
        /** Does what Tomcat's documentation says. */
        WORKS,
        /** Ignored so that the file loads, which is said: nobody is let in by that who would be kept out in Tomcat. */
        NONE,
        /** Accepted without a word: a tuning knob of Tomcat's own machinery that nobody misses here. */
        MOOT
    }

    static AttributeRule works(String name, ValueKind kind, @Nullable String byDefault) {
        return new AttributeRule(name, kind, byDefault, Effect.WORKS, null);
    }

    static AttributeRule none(String name, ValueKind kind) {
        return new AttributeRule(name, kind, null, Effect.NONE, null);
    }

    /** One that has no effect, which matters only where its value is another than what happens anyway. */
    static AttributeRule none(String name, ValueKind kind, String anyway, String reason) {
        return new AttributeRule(name, kind, anyway, Effect.NONE, reason);
    }

    /**
     * One that would keep somebody out in Tomcat, and nobody here: any other value is an error.
     *
     * @param harmless the value that keeps nobody out; empty if there is none, so that it has to be left out
     * @param advice why, and what to write instead
     */
    static AttributeRule only(String name, String harmless, String advice) {
        String expected = harmless.isEmpty() ? "it to be left out" : harmless;
        return works(
                name,
                new ValueKind(
                        expected + ": " + advice,
                        value -> !harmless.isEmpty() && value.strip().equalsIgnoreCase(harmless)),
                null);
    }

    static AttributeRule moot(String name) {
        return new AttributeRule(name, ValueKind.TEXT, null, Effect.MOOT, null);
    }
}
