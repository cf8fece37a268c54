package io.millrace.servlet.request;

import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.DispatchChain;
import io.millrace.servlet.form.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatch determines of a request (Servlet 3.1, 9). A dispatcher replaces the request's dispatch, and restores it at its end.
 *
 * @param app the current application: the one mapped to the request, or the target of a dispatch to another context
 * @param view the current paths
 * @param chain the filters and the servlet
 * @param parameters the request's own with a dispatcher's query before them (Servlet 3.1, 9.1.1); null: its own only
 */
public record Dispatch(
        AppView app,
        DispatchView view,
        DispatchChain chain,
        @Nullable Parameters parameters) {

    /** A dispatch by the container to the servlet of these paths, with the request's own parameters. */
    public static Dispatch to(DispatchView view) {
        return new Dispatch(view.app(), view, view.app().routes().chain(view.match(), view.type()), null);
    }

    /** The same dispatch with another current application. */
    public Dispatch in(AppView other) {
        return new Dispatch(other, view, chain, parameters);
    }

    Dispatch with(Parameters all) {
        return new Dispatch(app, view, chain, all);
    }
}
