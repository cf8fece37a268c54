package io.millrace.servlet.app;

import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.upgrade.UpgradePoint;
import java.util.List;
import java.util.Map;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/** Maps paths to welcome files, servlets and filters. Immutable. */
public final class Routes {

    private final UrlMapper mapper;
    private final FilterChains chains;
    private final WelcomeFiles welcome;

    /** The routes to the components registered now. */
    public Routes(
            WebAppModel model,
            List<ServletHolder> servlets,
            Map<String, FilterHolder> filters,
            UpgradePoint upgrades,
            ResourceTree resources) {
        mapper = new UrlMapper(servlets);
        chains = new FilterChains(model.filterMappings, filters, upgrades);
        welcome = new WelcomeFiles(List.copyOf(model.welcomeFiles), mapper, path -> {
            Resource resource = resources.find(path);
            return resource != null && !resource.isDirectory();
        });
    }

    /**
     * The servlet for a path, or for its welcome file if it is a directory; null if there is none.
     *
     * @param path decoded, below the context path; begins with a slash, or is empty for the context path itself
     */
    public @Nullable ServletMatch match(String path) {
        if (path.isEmpty()) {
            return mapper.matchSpecific(path);
        }
        ServletMatch match = mapper.match(path);
        if (path.charAt(path.length() - 1) == '/' && (match == null || match.isDefault())) {
            ServletMatch better = welcome.find(path);
            return better != null ? better : match;
        }
        return match;
    }

    /** Whether a servlet is mapped to {@code /*}, and thereby to the context path without a slash. */
    public boolean takesContextPath() {
        return mapper.matchSpecific("") != null;
    }

    public DispatchChain chain(ServletMatch match, DispatcherType type) {
        return chains.chain(match, type);
    }
}
