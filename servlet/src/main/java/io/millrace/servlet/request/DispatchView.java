package io.millrace.servlet.request;

import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.ServletMatch;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/**
 * A request's paths during one dispatch. A forward replaces the view, and restores it at its end.
 *
 * @param app the application whose paths these are
 * @param contextPath the beginning of {@code requestUri} that names the application: as sent, or escaped in a dispatch
 * @param requestUri as sent, or as given to the dispatcher; not decoded
 * @param query without the question mark
 */
public record DispatchView(
        DispatcherType type,
        AppView app,
        String contextPath,
        String requestUri,
        @Nullable String query,
        ServletMatch match) {

    /** The same paths in an include, which does not change them. */
    public DispatchView as(DispatcherType other) {
        return new DispatchView(other, app, contextPath, requestUri, query, match);
    }
}
