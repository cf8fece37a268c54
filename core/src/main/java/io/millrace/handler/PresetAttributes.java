package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import java.util.Map;

/**
 * Request attributes that a handler in front of an application sets; {@code ServletRequest.getAttribute} returns them.
 *
 * @param values by name
 */
public record PresetAttributes(Map<String, String> values) {

    /** The attribute of the exchange that holds them. */
    public static final AttributeKey<PresetAttributes> KEY =
            AttributeKey.of("preset request attributes", PresetAttributes.class);
}
