package io.millrace.rules;

import io.millrace.handler.PathTemplate;
import io.millrace.http.RequestedHost;
import io.millrace.net.AddressSet;
import io.millrace.net.IpLiteral;
import io.millrace.rewrite.BoundedText;
import io.millrace.text.SizeText;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** All predicates by name, with their parameters. Paths are compared with {@link RuleRun#path}, case-sensitively. */
final class RulePredicates {

    /** Makes a predicate of what is written. */
    private interface Maker {

        Predicate<RuleRun> make(String text, RuleParser.Call call);
    }

    private static final Map<String, Maker> MAKERS = new TreeMap<>();

    static {
        MAKERS.put("path", RulePredicates::path);
        MAKERS.put("path-prefix", RulePredicates::prefix);
        MAKERS.put("path-suffix", RulePredicates::suffix);
        MAKERS.put("path-template", RulePredicates::template);
        MAKERS.put("regex", RulePredicates::regex);
        MAKERS.put("method", RulePredicates::method);
        MAKERS.put("equals", RulePredicates::equalTexts);
        MAKERS.put("contains", RulePredicates::contains);
        MAKERS.put("exists", RulePredicates::exists);
        MAKERS.put("secure", (text, call) -> {
            RuleArguments.of(text, call);
            return run -> run.request().scheme().equals("https");
        });
        MAKERS.put("max-content-size", (text, call) -> size(text, call, true));
        MAKERS.put("min-content-size", (text, call) -> size(text, call, false));
        MAKERS.put("remote", RulePredicates::remote);
        MAKERS.put("host", RulePredicates::host);
        MAKERS.put("true", (text, call) -> constant(text, call, true));
        MAKERS.put("false", (text, call) -> constant(text, call, false));
    }

    private RulePredicates() {}

    /** The names of all. */
    static List<String> names() {
        return List.copyOf(MAKERS.keySet());
    }

    /**
     * Makes a predicate of a condition.
     *
     * @param actions the names of all, for a hint
     * @param strict whether they mean what they mean to Undertow, or are refused
     */
    static Predicate<RuleRun> of(String text, RuleParser.Condition condition, List<String> actions, boolean strict) {
        if (condition instanceof RuleParser.Condition.Not not) {
            return of(text, not.of(), actions, strict).negate();
        }
        if (condition instanceof RuleParser.Condition.And and) {
            List<Predicate<RuleRun>> all = and.all().stream()
                    .map(each -> of(text, each, actions, strict))
                    .toList();
            return run -> all.stream().allMatch(each -> each.test(run));
        }
        if (condition instanceof RuleParser.Condition.Or or) {
            List<Predicate<RuleRun>> any = or.any().stream()
                    .map(each -> of(text, each, actions, strict))
                    .toList();
            return run -> any.stream().anyMatch(each -> each.test(run));
        }
        RuleParser.Call call = ((RuleParser.Condition.Single) condition).call();
        Maker maker = MAKERS.get(call.name());
        if (maker == null) {
            String hint = actions.contains(call.name())
                    ? "; it is an action, which belongs after ->"
                    : RuleArguments.suggestion(call.name(), names());
            throw new RuleSyntaxException(text, call.at(), "there is no predicate '" + call.name() + "'" + hint);
        }
        if (strict && call.name().endsWith("-content-size")) {
            throw new RuleSyntaxException(
                    text,
                    call.at(),
                    "'" + call.name() + "' means the opposite to Undertow, and the length of the response;"
                            + " limit uploads by maxPostSize of the Connector, or by a <Rules> element in server.xml");
        }
        return strict && call.name().equals("path") ? pathOfUndertow(text, call) : maker.make(text, call);
    }

    private static Predicate<RuleRun> constant(String text, RuleParser.Call call, boolean value) {
        RuleArguments.of(text, call);
        return run -> value;
    }

    private static @Nullable String slashed(String path) {
        return path.startsWith("/") ? path : null;
    }

    private static Predicate<RuleRun> path(String text, RuleParser.Call call) {
        List<String> paths = paths(text, call);
        return run -> paths.contains(run.path());
    }

    /** Undertow ignores slashes at the end of a path. */
    private static Predicate<RuleRun> pathOfUndertow(String text, RuleParser.Call call) {
        List<String> paths =
                paths(text, call).stream().map(RulePredicates::unslashed).toList();
        return run -> paths.contains(unslashed(run.path()));
    }

    private static String unslashed(String path) {
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    private static List<String> paths(String text, RuleParser.Call call) {
        return RuleArguments.of(text, call, "path*")
                .list("path", "a path that begins with a slash", RulePredicates::slashed);
    }

    private static Predicate<RuleRun> prefix(String text, RuleParser.Call call) {
        List<String> prefixes = paths(text, call);
        return run -> {
            String path = run.path();
            for (String prefix : prefixes) {
                String plain = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
                if (path.startsWith(plain) && (path.length() == plain.length() || path.charAt(plain.length()) == '/')) {
                    run.found().put("remaining", path.substring(plain.length()));
                    return true;
                }
            }
            return false;
        };
    }

    private static Predicate<RuleRun> suffix(String text, RuleParser.Call call) {
        List<String> suffixes = RuleArguments.of(text, call, "path*")
                .list("path", "the end of a path, such as .css", value -> value.isEmpty() ? null : value);
        return run -> suffixes.stream().anyMatch(run.path()::endsWith);
    }

    private static Predicate<RuleRun> template(String text, RuleParser.Call call) {
        RuleArguments arguments = RuleArguments.of(text, call, "match*", "value");
        List<PathTemplate> templates = arguments.list("match", "a template such as /orders/{id}", PathTemplate::parse);
        RuleText value = arguments.one("value", "a text such as %R", RuleText::parse, RuleText.parse("%R"));
        return run -> {
            for (PathTemplate template : templates) {
                Map<String, String> found = template.match(value.of(run));
                if (found != null) {
                    run.found().putAll(found);
                    PathTemplate.setParameters(run.exchange(), found);
                    return true;
                }
            }
            return false;
        };
    }

    private static Predicate<RuleRun> regex(String text, RuleParser.Call call) {
        RuleArguments arguments = RuleArguments.of(text, call, "pattern", "value", "full-match", "case-sensitive");
        boolean sensitive = arguments.one("case-sensitive", "true or false", RuleArguments::flag, true);
        Pattern pattern = arguments.one(
                "pattern",
                "a regular expression",
                source -> Pattern.compile(source, sensitive ? 0 : Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE));
        RuleText value = arguments.one("value", "a text such as %R", RuleText::parse, RuleText.parse("%R"));
        boolean whole = arguments.one("full-match", "true or false", RuleArguments::flag, false);
        return run -> {
            Matcher matcher = whole
                    ? BoundedText.match(pattern, value.of(run), run.budget())
                    : BoundedText.find(pattern, value.of(run), run.budget());
            for (int i = 0; matcher != null && i <= matcher.groupCount(); i++) {
                String group = matcher.group(i);
                run.found().put(Integer.toString(i), group == null ? "" : group);
            }
            return matcher != null;
        };
    }

    private static Predicate<RuleRun> method(String text, RuleParser.Call call) {
        List<String> methods = RuleArguments.of(text, call, "value*")
                .list(
                        "value",
                        "a method in capitals, such as GET",
                        name -> name.matches("[A-Z][A-Z_-]*") ? name : null);
        return run -> methods.contains(run.request().method());
    }

    private static Predicate<RuleRun> equalTexts(String text, RuleParser.Call call) {
        RuleArguments arguments = RuleArguments.of(text, call, "value*");
        List<RuleText> values = arguments.list("value", "texts such as %m and GET", RuleText::parse);
        if (values.size() < 2) {
            throw arguments.wrong("'equals' has " + values.size() + " value; expected at least two");
        }
        return run -> {
            String first = values.get(0).of(run);
            return values.stream().allMatch(value -> value.of(run).equals(first));
        };
    }

    private static Predicate<RuleRun> contains(String text, RuleParser.Call call) {
        RuleArguments arguments = RuleArguments.of(text, call, "value", "search");
        RuleText value = arguments.one("value", "a text such as %{i,User-Agent}", RuleText::parse);
        List<String> search =
                arguments.list("search", "the texts that are looked for", found -> found.isEmpty() ? null : found);
        return run -> search.stream().anyMatch(value.of(run)::contains);
    }

    private static Predicate<RuleRun> exists(String text, RuleParser.Call call) {
        RuleText value = RuleArguments.of(text, call, "value")
                .one("value", "a property such as %{i,Authorization}", RuleText::parse);
        return value::exists;
    }

    /** By Content-Length; a body without one is larger than any limit, since it may be. */
    private static Predicate<RuleRun> size(String text, RuleParser.Call call, boolean most) {
        long limit = RuleArguments.of(text, call, "value").one("value", "a size such as 64k", SizeText::parse);
        return run -> {
            long length = run.request().contentLength();
            boolean larger = length < 0 || length > limit;
            return most ? !larger : larger || length == limit;
        };
    }

    private static Predicate<RuleRun> remote(String text, RuleParser.Call call) {
        List<AddressSet> sets = RuleArguments.of(text, call, "address*")
                .list("address", "an address or a range such as 10.0.0.0/8", RuleArguments::addresses);
        return run -> {
            String client = RequestedHost.host(run.exchange().channel().info().remote());
            InetAddress address = IpLiteral.parse(IpLiteral.withoutScope(client));
            return address != null && sets.stream().anyMatch(set -> set.contains(address));
        };
    }

    private static Predicate<RuleRun> host(String text, RuleParser.Call call) {
        List<String> names = RuleArguments.of(text, call, "name*")
                .list(
                        "name",
                        "a host name such as www.example.org or *.example.org, without a port",
                        name -> name.matches("(\\*\\.)?[A-Za-z0-9._-]+") || name.startsWith("[")
                                ? name.toLowerCase(Locale.ROOT)
                                : null);
        return run -> {
            RequestedHost asked = RequestedHost.of(
                    run.request(), run.exchange().channel().info().local());
            String name = asked.name();
            int dot = name.indexOf('.');
            return names.contains(name) || dot > 0 && names.contains("*" + name.substring(dot));
        };
    }
}
