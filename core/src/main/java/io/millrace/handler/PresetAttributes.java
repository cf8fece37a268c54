package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import java.util.Map;

/**
 * Request attributes that a handler before an application gives it, as {@code ServletRequest.getAttribute} shows them.
 *
 * @param values by name
 */
public record PresetAttributes(Map<String, String> values) {

    /** Where applications look. */
    public static final AttributeKey<PresetAttributes> KEY =
            AttributeKey.of("preset request attributes", PresetAttributes.class);
}
