package io.millrace.servlet.dispatch;

import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.app.ServletMatch;
import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.uri.UrlEscapes;
import javax.servlet.RequestDispatcher;
import org.jspecify.annotations.Nullable;

/** Finds the target of a dispatcher's path or name. */
public final class Dispatchers {

    private Dispatchers() {}

    /**
     * The dispatcher of a path, which is read like that of a URL: escapes are decoded, path parameters removed, dot segments
     * resolved, a fragment ignored. Null if the path leaves the application, has an escaped dot segment, or maps to nothing.
     *
     * @param pathAndQuery below the context path; begins with a slash
     */
    public static @Nullable RequestDispatcher forPath(AppView app, String pathAndQuery) {
        return find(app, pathAndQuery);
    }

    static @Nullable ServletDispatcher find(AppView app, String pathAndQuery) {
        int hash = pathAndQuery.indexOf('#');
        String url = hash < 0 ? pathAndQuery : pathAndQuery.substring(0, hash);
        int question = url.indexOf('?');
        String raw = UrlEscapes.escape(question < 0 ? url : url.substring(0, question));
        String query = question < 0 ? null : url.substring(question + 1);
        RequestPath path = hidesDots(raw) ? null : RequestPath.parse(raw, EncodedSlash.DECODE);
        ServletMatch match = path == null ? null : app.routes().match(path.decoded());
        return match == null ? null : new ServletDispatcher(app, app.escapedContextPath() + raw, query, match);
    }

    /**
     * Whether escapes hide a dot segment: applications put what a client has sent, escaped, into the paths of dispatchers, which may
     * lead to WEB-INF.
     */
    private static boolean hidesDots(String raw) {
        if (raw.indexOf('%') < 0) {
            return false;
        }
        for (String segment : raw.split("/", -1)) {
            int semicolon = segment.indexOf(';');
            String name = semicolon < 0 ? segment : segment.substring(0, semicolon);
            if (name.indexOf('%') < 0) {
                continue;
            }
            String slashes = name.replace("%2F", "/").replace("%2f", "/");
            for (String part : slashes.replace("%2E", ".").replace("%2e", ".").split("/", -1)) {
                if (part.equals(".") || part.equals("..")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The dispatcher to the servlet that a request was mapped to, however its URI is written. */
    static ServletDispatcher again(DispatchView request) {
        String rest = request.requestUri().substring(request.contextPath().length());
        return new ServletDispatcher(request.app(), request.app().escapedContextPath() + rest, null, request.match());
    }

    public static RequestDispatcher forName(AppView app, ServletHolder servlet) {
        return new ServletDispatcher(app, null, null, ServletMatch.byName(servlet));
    }
}
