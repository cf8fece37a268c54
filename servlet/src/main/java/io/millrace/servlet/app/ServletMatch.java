package io.millrace.servlet.app;

import java.util.Objects;
import javax.servlet.http.HttpServletMapping;
import javax.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;

/** The servlet that a path maps to, with its servlet path and path info (Servlet 3.1, 3.5 and 12.2). Immutable. */
public final class ServletMatch implements HttpServletMapping {

    final Mapping mapping;
    private final String servletPath;
    private final @Nullable String pathInfo;

    ServletMatch(Mapping mapping, String servletPath, @Nullable String pathInfo) {
        this.mapping = mapping;
        this.servletPath = servletPath;
        this.pathInfo = pathInfo;
    }

    /** The match of a named dispatch, which has no path. */
    public static ServletMatch byName(ServletHolder servlet) {
        return new ServletMatch(new Mapping(servlet, "", null), "", null);
    }

    public ServletHolder servlet() {
        return mapping.servlet;
    }

    public String servletPath() {
        return servletPath;
    }

    public @Nullable String pathInfo() {
        return pathInfo;
    }

    /** The whole path below the context path. */
    public String path() {
        return pathInfo == null ? servletPath : servletPath + pathInfo;
    }

    boolean isDefault() {
        return mapping.kind == MappingMatch.DEFAULT;
    }

    @Override
    public String getMatchValue() {
        if (mapping.kind == null) {
            return "";
        }
        return switch (mapping.kind) {
            case EXACT -> servletPath.substring(1);
            case EXTENSION -> servletPath.substring(1, servletPath.length() - mapping.pattern.length() + 1);
            case PATH -> pathInfo == null ? "" : pathInfo.substring(1);
            default -> "";
        };
    }

    @Override
    public String getPattern() {
        return mapping.pattern;
    }

    @Override
    public String getServletName() {
        return Objects.requireNonNull(mapping.servlet.name());
    }

    @Override
    public @Nullable MappingMatch getMappingMatch() {
        return mapping.kind;
    }
}
