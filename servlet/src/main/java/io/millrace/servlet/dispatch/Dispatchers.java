package io.millrace.servlet.dispatch;

import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.app.ServletMatch;
import io.millrace.servlet.uri.PercentEncoding;
import javax.servlet.RequestDispatcher;
import org.jspecify.annotations.Nullable;

/** Finds the target of a dispatcher's path or name. */
public final class Dispatchers {

    private Dispatchers() {}

    /**
     * The dispatcher of a path, which is read like that of a URL: escapes are decoded, path parameters removed, dot segments
     * resolved. Null if the path leaves the application or maps to nothing.
     *
     * @param pathAndQuery below the context path; begins with a slash
     */
    public static @Nullable RequestDispatcher forPath(AppView app, String pathAndQuery) {
        return find(app, pathAndQuery);
    }

    static @Nullable ServletDispatcher find(AppView app, String pathAndQuery) {
        int question = pathAndQuery.indexOf('?');
        String raw = PercentEncoding.escape(question < 0 ? pathAndQuery : pathAndQuery.substring(0, question));
        String query = question < 0 ? null : pathAndQuery.substring(question + 1);
        RequestPath path = RequestPath.parse(raw, EncodedSlash.REJECT);
        ServletMatch match = path == null ? null : app.routes().match(path.decoded());
        return match == null ? null : new ServletDispatcher(app, app.escapedContextPath() + raw, query, match);
    }

    public static RequestDispatcher forName(AppView app, ServletHolder servlet) {
        return new ServletDispatcher(app, null, null, ServletMatch.byName(servlet));
    }
}
