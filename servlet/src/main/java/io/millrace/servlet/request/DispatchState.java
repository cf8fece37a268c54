package io.millrace.servlet.request;

import io.millrace.servlet.context.DispatchChain;
import io.millrace.servlet.context.ServletHolder;
import io.millrace.servlet.context.WebAppContext;
import io.millrace.servlet.form.Parameters;
import java.util.Objects;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import org.jspecify.annotations.Nullable;

/**
 * Where a request is on its way through the application: paths, filters, servlet and parameters of its current dispatch.
 * Dispatchers put others in place and the old ones back. For the owner of the request.
 */
public final class DispatchState {

    private final DispatchedRequest request;
    private WebAppContext app;
    private DispatchView view;
    private DispatchView containerView;
    private @Nullable DispatchChain chain;
    private @Nullable Parameters parameters;
    private boolean asyncSupported = true;

    DispatchState(DispatchedRequest request, DispatchView first) {
        this.request = request;
        this.app = first.app();
        this.view = first;
        this.containerView = first;
    }

    /** The application that it is in. */
    WebAppContext app() {
        return app;
    }

    /** Goes into an application. Returns the one that it was in before. */
    public WebAppContext enter(WebAppContext next) {
        WebAppContext before = app;
        app = next;
        return before;
    }

    public DispatchView view() {
        return view;
    }

    public void view(DispatchView next) {
        view = next;
    }

    /** A dispatch of the container's own begins: what came before neither wraps it nor forbids it anything. */
    public void containerDispatch(DispatchView next) {
        view = next;
        containerView = next;
        asyncSupported = true;
    }

    /** The paths of the container's last dispatch, whatever forwards and includes it is in. */
    DispatchView containerView() {
        return containerView;
    }

    /** Enters a dispatch: its servlet is the current one from here on. Returns the chain it was in before. */
    public @Nullable DispatchChain enter(@Nullable DispatchChain next) {
        DispatchChain before = chain;
        chain = next;
        if (next != null && !next.isAsyncSupported()) {
            asyncSupported = false;
        }
        return before;
    }

    ServletHolder servlet() {
        return chain == null ? view.match().servlet() : chain.servlet();
    }

    /** True if all that this dispatch has passed so far supports asynchronous requests. */
    boolean isAsyncSupported() {
        return asyncSupported;
    }

    /** The parameters to be put back after a dispatch; null: those of the request itself. */
    public @Nullable Parameters savedParameters() {
        return parameters;
    }

    public void restoreParameters(@Nullable Parameters saved) {
        parameters = saved;
    }

    /** Puts a dispatcher's query before the parameters there are (Servlet 3.1, 9.1.1). */
    public void addQuery(String query) {
        parameters = parameters().precededBy(query, request.client().queryCharset());
    }

    Parameters parameters() {
        return parameters != null ? parameters : request.client().form().parameters();
    }

    /** A dispatcher's path below the context path: relative to the target of an include, if this is one (Servlet 3.1, 9.1). */
    String resolve(String path) {
        if (path.startsWith("/")) {
            return path;
        }
        Object including = request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
        String base = view.type() == DispatcherType.INCLUDE && including != null
                ? including + Objects.toString(request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO), "")
                : view.match().path();
        return PercentEncoding.encode(base.substring(0, base.lastIndexOf('/') + 1)) + path;
    }
}
