package io.millrace.servlet;

import java.io.IOException;
import java.util.EnumSet;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;

/** A servlet behind a filter. */
final class Filtered {

    private Filtered() {}

    /** Deploys both at every path of {@code /app}; parameters are name and value in turns. */
    static Deployed deploy(Filter filter, Serving.Action action, String... parameters) throws IOException {
        return Deployed.of(application(filter, action, parameters));
    }

    static WebApplicationBuilder application(Filter filter, Serving.Action action, String... parameters) {
        return WebApplication.builder("/app")
                .servlet("all", Serving.with(action), "/*")
                .filter("filter", filter, registration -> {
                    for (int i = 0; i < parameters.length; i += 2) {
                        registration.setInitParameter(parameters[i], parameters[i + 1]);
                    }
                    registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
                });
    }
}
