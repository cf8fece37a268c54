package io.millrace.standalone.config.valve;

import io.millrace.exchange.HttpHandler;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A Valve that requests pass, alike in Engine, Host and Context. */
public abstract class HandlerValve extends ValveKind {

    @SafeVarargs
    HandlerValve(String className, List<Attribute<?>>... own) {
        super(className, own);
    }

    /**
     * Makes its handler.
     *
     * @param base the directory to which file names are relative
     * @param warnings receives warnings about what has no effect
     * @return wraps the next handler
     */
    public abstract UnaryOperator<HttpHandler> handler(Element valve, Path base, Consumer<String> warnings);
}
