package io.millrace.servlet.context;

import io.millrace.servlet.resource.Resource;
import java.util.List;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/** Where a path leads: welcome files, the servlet, its filters. Immutable. */
final class Routes {

    private final UrlMapper mapper;
    private final FilterChains chains;
    private final WelcomeFiles welcome;

    Routes(WebAppContext app) {
        mapper = new UrlMapper(app.registrations().servlets());
        chains =
                new FilterChains(app.model().filterMappings, app.registrations().filters());
        welcome = new WelcomeFiles(List.copyOf(app.model().welcomeFiles), mapper, path -> {
            Resource resource = app.resources().find(path);
            return resource != null && !resource.isDirectory();
        });
    }

    /**
     * The servlet for a path, through a welcome file if it is a directory's; null if there is none.
     *
     * @param path decoded, below the context path; begins with a slash
     */
    @Nullable
    ServletMatch match(String path) {
        ServletMatch match = mapper.match(path);
        if (path.charAt(path.length() - 1) == '/' && (match == null || match.isDefault())) {
            ServletMatch better = welcome.find(path);
            return better != null ? better : match;
        }
        return match;
    }

    DispatchChain chain(ServletMatch match, DispatcherType type) {
        return chains.chain(match, type);
    }
}
