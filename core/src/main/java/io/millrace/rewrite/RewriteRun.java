package io.millrace.rewrite;

import io.millrace.http.LocalReference;
import io.millrace.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The application of the rules to one request. Not thread-safe. */
final class RewriteRun {

    /** The maximum number of repetitions by the flag N. */
    private static final int MOST_ROUNDS = 1000;

    private final List<Rule> rules;
    private final RewriteScope scope;
    private final RequestHead request;

    /** The path as seen by the rules; a rewritten one may have a query. */
    private String url;

    private final String host;
    private String newHost;
    private boolean rewritten;
    private boolean appendsQuery;
    private boolean dropsQuery;
    private boolean unescaped;
    private int status;
    private @Nullable String type;
    private int rounds;

    RewriteRun(List<Rule> rules, RewriteScope scope) {
        this.rules = rules;
        this.scope = scope;
        request = scope.exchange().request();
        url = UrlText.forRules(scope.path());
        host = Variables.hostOf(request.authority());
        newHost = host;
    }

    void run() {
        int at = 0;
        while (at < rules.size() && status == 0 && !isEndless()) {
            Rule rule = rules.get(at);
            String made = rule.apply(rule.flags().host() ? newHost : url, scope);
            at = made == null ? afterMiss(at) : afterMatch(at, rule.flags(), made);
        }
    }

    /** If a rule does not match, the rest of its chain is skipped. */
    private int afterMiss(int at) {
        int last = at;
        while (last < rules.size() && rules.get(last).flags().chained()) {
            last++;
        }
        return last + 1;
    }

    private int afterMatch(int at, RuleFlags flags, String made) {
        if (flags.host()) {
            rewritten |= !made.equals(newHost);
            newHost = made;
        } else {
            rewritten |= !made.equals(url);
            url = made;
        }
        appendsQuery |= flags.appendsQuery();
        dropsQuery |= flags.dropsQuery();
        type = flags.type() == null ? type : flags.type();
        if (flags.status() > 0) {
            status = flags.status();
            unescaped = flags.unescaped();
        }
        if (flags.last()) {
            return rules.size();
        }
        if (flags.next()) {
            rounds++;
            return 0;
        }
        return at + 1 + Math.min(flags.skip(), rules.size());
    }

    boolean isEndless() {
        return rounds > MOST_ROUNDS;
    }

    boolean isRewritten() {
        return rewritten || dropsQuery && request.query() != null;
    }

    boolean isHostRewritten() {
        return !newHost.equals(host);
    }

    /** The status of the response if the rules end the request; otherwise 0. */
    int status() {
        return status;
    }

    @Nullable
    String type() {
        return type;
    }

    /** The host, with the port of the client's request. */
    @Nullable
    String authority() {
        String before = request.authority();
        return before == null || !isHostRewritten() ? before : newHost + before.substring(host.length());
    }

    String rawPath() {
        int mark = url.indexOf('?');
        String path = UrlText.output(mark < 0 ? url : url.substring(0, mark), UrlText.PATH);
        return path.startsWith("/") ? path : "/" + path;
    }

    @Nullable
    String query() {
        int mark = url.indexOf('?');
        String made = mark < 0 ? null : UrlText.output(url.substring(mark + 1), UrlText.QUERY);
        return joined(made);
    }

    private @Nullable String joined(@Nullable String made) {
        String before = dropsQuery ? null : request.query();
        if (made == null) {
            return before;
        }
        return appendsQuery && before != null && !before.isEmpty()
                ? (made.isEmpty() ? before : made + "&" + before)
                : (made.isEmpty() ? null : made);
    }

    /** The location of a redirect. A path never begins with two slashes, which would name another host. */
    String location() {
        int mark = url.indexOf('?');
        String target = mark < 0 ? url : url.substring(0, mark);
        String made = mark < 0 ? null : escaped(url.substring(mark + 1), true);
        String query = joined(made);
        String path = escaped(target, false);
        if (path.startsWith("/")) {
            return scope.escapedContextPath() + LocalReference.of(path, query);
        }
        return query == null ? path : path + "?" + query;
    }

    private String escaped(String text, boolean query) {
        return unescaped ? UrlText.unescaped(text) : UrlText.output(text, query ? UrlText.QUERY : UrlText.PATH);
    }
}
