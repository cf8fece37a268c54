package io.millrace.servlet.request;

import io.millrace.servlet.context.ServletMatch;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/**
 * What a request's paths are during one dispatch. A forward puts another view in place and the old one back.
 *
 * @param requestUri as sent, or as given to the dispatcher; not decoded
 * @param query without the question mark
 */
public record DispatchView(
        DispatcherType type, String requestUri, @Nullable String query, ServletMatch match) {

    /** The same paths in an include, which does not change them. */
    public DispatchView as(DispatcherType other) {
        return new DispatchView(other, requestUri, query, match);
    }
}
