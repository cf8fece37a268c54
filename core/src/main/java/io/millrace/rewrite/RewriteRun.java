package io.millrace.rewrite;

import io.millrace.http.LocalReference;
import io.millrace.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request on its way through the rules. For one thread. */
final class RewriteRun {

    /** Of the flag N: what is not done by then never will be. */
    private static final int MOST_ROUNDS = 1000;

    private final List<Rule> rules;
    private final RewriteScope scope;
    private final RequestHead request;

    /** The path as rules see it; what they make may have a query. */
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

    /** A chain ends with its first rule that does not match. */
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

    /** Of an answer that ends the request; 0: it goes on. */
    int status() {
        return status;
    }

    @Nullable
    String type() {
        return type;
    }

    /** With the port that the client named. */
    @Nullable
    String authority() {
        String before = request.authority();
        return before == null || !isHostRewritten() ? before : newHost + before.substring(host.length());
    }

    String rawPath() {
        int mark = url.indexOf('?');
        String path = UrlText.made(mark < 0 ? url : url.substring(0, mark), UrlText.PATH);
        return path.startsWith("/") ? path : "/" + path;
    }

    @Nullable
    String query() {
        int mark = url.indexOf('?');
        String made = mark < 0 ? null : UrlText.made(url.substring(mark + 1), UrlText.QUERY);
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

    /** Where a redirect leads. A path never begins with two slashes, which would be the name of another site. */
    String location() {
        int mark = url.indexOf('?');
        String target = mark < 0 ? url : url.substring(0, mark);
        String made = mark < 0 ? null : escaped(url.substring(mark + 1), true);
        String query = joined(made);
        String path = escaped(target, false);
        if (path.startsWith("/")) {
            return scope.contextPath() + LocalReference.of(path, query);
        }
        return query == null ? path : path + "?" + query;
    }

    private String escaped(String text, boolean query) {
        return unescaped ? UrlText.unescaped(text) : UrlText.made(text, query ? UrlText.QUERY : UrlText.PATH);
    }
}
