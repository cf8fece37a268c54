package io.millrace.rules;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of rules, in one pass and in time linear in its length, without knowing any predicate or action:
 *
 * <pre>
 * rules     = { rule ( NL | ";" ) }
 * rule      = [ predicate "->" ] body [ "else" [ "->" ] body ]
 * body      = "{" rules "}" | action { ";" action }
 * predicate = and { "or" and }        and = not { "and" not }        not = { "not" } ( call | "(" predicate ")" )
 * action    = call
 * call      = NAME [ "(" arguments ")" | "[" arguments "]" ]
 * arguments = [ argument { "," argument } ]        argument = [ NAME "=" ] ( value | "{" value { "," value } "}" )
 * value     = "'" text "'" | '"' text '"' | characters other than white space , ( ) [ ] { } ' " but those of %{…} and ${…}
 * </pre>
 *
 * <p>{@code #} begins a comment, which the end of the line ends. Line ends between brackets are white space.
 */
final class RuleParser {

    private static final int MAX_LENGTH = 1 << 20;
    private static final int MAX_RULES = 1000;
    private static final int MAX_DEPTH = 50;
    private static final char END = '\0';

    /** The longest reference in a value without quotation marks; bounds the search for its end. */
    private static final int MAX_REFERENCE = 200;

    /** A value as it is written, without its quotation marks. */
    record Value(int at, String text) {}

    /**
     * An argument.
     *
     * @param name null if it has none
     */
    record Argument(int at, @Nullable String name, List<Value> values) {}

    /** A predicate or an action. */
    record Call(int at, String name, List<Argument> arguments) {}

    /** What selects requests. */
    sealed interface Condition {

        /** A single predicate. */
        record Single(Call call) implements Condition {}

        /** The opposite of another one. */
        record Not(Condition of) implements Condition {}

        /** All of them. */
        record And(List<Condition> all) implements Condition {}

        /** Any of them. */
        record Or(List<Condition> any) implements Condition {}
    }

    /** What is done. */
    sealed interface Statement {

        /** An action. */
        record Action(Call call) implements Statement {}

        /** One of two lists. */
        record Choice(Condition condition, List<Statement> then, List<Statement> otherwise) implements Statement {}
    }

    private final String text;
    private final boolean strict;
    private int at;
    private int depth;
    private int rules;

    private RuleParser(String text, boolean strict) {
        this.text = text;
        this.strict = strict;
    }

    /**
     * Reads all of a text.
     *
     * @param strict whether to refuse what Undertow reads differently
     */
    static List<Statement> parse(String text, boolean strict) {
        RuleParser parser = new RuleParser(text, strict);
        if (text.length() > MAX_LENGTH) {
            throw parser.wrong(0, "the rules have " + text.length() + " characters; expected at most " + MAX_LENGTH);
        }
        List<Statement> all = parser.block();
        if (parser.at < text.length()) {
            throw parser.unexpected("a rule");
        }
        return all;
    }

    private List<Statement> block() {
        List<Statement> all = new ArrayList<>();
        skipSeparators();
        while (at < text.length() && peek() != '}') {
            rule(all);
            space(false);
            if (at < text.length() && peek() != '}' && peek() != '\n' && peek() != ';') {
                throw unexpected("the end of the line, or ; and a further action");
            }
            skipSeparators();
        }
        return all;
    }

    private void skipSeparators() {
        space(true);
        while (peek() == ';' && at < text.length()) {
            at++;
            space(true);
        }
    }

    private void rule(List<Statement> to) {
        if (++rules > MAX_RULES) {
            throw wrong(at, "there are more than " + MAX_RULES + " rules; expected fewer");
        }
        int start = at;
        Condition condition = condition();
        space(false);
        if (!text.startsWith("->", at)) {
            if (!(condition instanceof Condition.Single)) {
                throw unexpected("-> and an action after the predicate");
            }
            at = start; // it is an action
            actions(to, false);
            return;
        }
        at += 2;
        space(true);
        List<Statement> then = body();
        List<Statement> otherwise = new ArrayList<>();
        if (isElse()) {
            space(true);
            if (text.startsWith("->", at)) {
                at += 2;
                space(true);
            }
            otherwise = body();
        }
        to.add(new Statement.Choice(condition, then, otherwise));
    }

    /** Consumes the word else, after an arrow too, if it comes next, even on a further line. */
    private boolean isElse() {
        int before = at;
        space(true);
        if (text.startsWith("->", at)) {
            at += 2;
            space(true);
        }
        if (text.startsWith("else", at) && !isNameChar(at + 4)) {
            at += 4;
            return true;
        }
        at = before;
        return false;
    }

    private List<Statement> body() {
        List<Statement> all = new ArrayList<>();
        if (peek() != '{') {
            actions(all, true);
            return all;
        }
        enter();
        at++;
        all = block();
        if (peek() != '}' || at == text.length()) {
            throw unexpected("} at the end of the block");
        }
        at++;
        depth--;
        return all;
    }

    /** @param guarded whether a predicate is before them */
    private void actions(List<Statement> to, boolean guarded) {
        to.add(new Statement.Action(call("an action")));
        space(false);
        while (at < text.length() && peek() == ';') {
            int before = at;
            at++;
            space(false);
            if (at == text.length() || peek() == '\n' || peek() == '}') {
                at = before;
                return;
            }
            if (guarded && strict) {
                throw wrong(
                        at,
                        "in Undertow what follows this semicolon is done for every request; expected { and } around all actions"
                                + " after ->, or a further line");
            }
            if (++rules > MAX_RULES) {
                throw wrong(at, "there are more than " + MAX_RULES + " rules; expected fewer");
            }
            int start = at;
            to.add(new Statement.Action(call("an action")));
            space(false);
            if (text.startsWith("->", at)) {
                throw wrong(
                        start,
                        "a predicate follows the semicolon; expected an action, or the predicate on a further line");
            }
        }
    }

    private Condition condition() {
        List<Condition> any = new ArrayList<>();
        do {
            List<Condition> all = new ArrayList<>();
            do {
                all.add(negated());
            } while (word("and"));
            any.add(all.size() == 1 ? all.get(0) : new Condition.And(all));
        } while (word("or"));
        return any.size() == 1 ? any.get(0) : new Condition.Or(any);
    }

    private Condition negated() {
        space(false);
        boolean negative = false;
        while (word("not")) {
            negative = !negative;
            space(false);
        }
        Condition condition;
        if (peek() == '(') {
            enter();
            at++;
            space(true);
            condition = condition();
            space(true);
            if (peek() != ')') {
                throw unexpected(") after the predicate");
            }
            at++;
            depth--;
            condition = new Condition.And(List.of(condition));
        } else {
            condition = new Condition.Single(call("a predicate or an action"));
        }
        return negative ? new Condition.Not(condition) : condition;
    }

    private void enter() {
        if (++depth > MAX_DEPTH) {
            throw wrong(at, "brackets are nested deeper than " + MAX_DEPTH + "; expected fewer");
        }
    }

    /** Consumes a word, if it comes next. */
    private boolean word(String word) {
        int before = at;
        space(false);
        if (text.startsWith(word, at) && !isNameChar(at + word.length()) && !opens(at + word.length())) {
            at += word.length();
            return true;
        }
        at = before;
        return false;
    }

    private boolean opens(int index) {
        return index < text.length() && text.charAt(index) == '[';
    }

    private boolean isNameChar(int index) {
        if (index >= text.length()) {
            return false;
        }
        char c = text.charAt(index);
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_';
    }

    private Call call(String expected) {
        int start = at;
        while (isNameChar(at) && !text.startsWith("->", at)) {
            at++;
        }
        if (at == start) {
            throw unexpected(expected);
        }
        String name = text.substring(start, at);
        int end = at;
        space(false);
        char open = peek();
        if (open != '(' && open != '[') {
            at = end;
            return new Call(start, name, List.of());
        }
        at++;
        return new Call(start, name, arguments(open == '(' ? ')' : ']'));
    }

    private List<Argument> arguments(char close) {
        List<Argument> all = new ArrayList<>();
        space(true);
        while (peek() != close || at == text.length()) {
            all.add(argument());
            space(true);
            if (peek() == ',') {
                at++;
                space(true);
                if (peek() == close) {
                    throw unexpected("a further argument");
                }
            } else if (peek() != close) {
                throw unexpected("a comma or " + close);
            }
        }
        at++;
        return all;
    }

    private Argument argument() {
        int start = at;
        String name = null;
        int end = at;
        while (isNameChar(end)) {
            end++;
        }
        int equals = end;
        while (equals < text.length() && (text.charAt(equals) == ' ' || text.charAt(equals) == '\t')) {
            equals++;
        }
        if (end > start && equals < text.length() && text.charAt(equals) == '=') {
            name = text.substring(start, end);
            at = equals + 1;
            space(true);
        }
        List<Value> values = new ArrayList<>();
        if (peek() != '{' || at == text.length()) {
            values.add(value());
            return new Argument(start, name, values);
        }
        at++;
        space(true);
        while (peek() != '}' || at == text.length()) {
            values.add(value());
            space(true);
            if (peek() == ',') {
                at++;
                space(true);
            } else if (peek() != '}') {
                throw unexpected("a comma or }");
            }
        }
        at++;
        return new Argument(start, name, values);
    }

    private Value value() {
        char quote = peek();
        return quote == '\'' || quote == '"' ? quoted(quote) : plain();
    }

    /** A backslash is taken literally unless a quotation mark or another one follows, so that patterns are written as usual. */
    private Value quoted(char quote) {
        int start = at++;
        StringBuilder value = new StringBuilder();
        while (at < text.length() && peek() != quote) {
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length() && (peek() == quote)) {
                c = text.charAt(at++);
            }
            value.append(c);
        }
        if (at == text.length()) {
            throw wrong(start, "the quotation mark is never closed; expected another " + quote);
        }
        at++;
        return new Value(start, value.toString());
    }

    private Value plain() {
        int start = at;
        while (at < text.length() && " \t\r\n,()[]{}'\"".indexOf(peek()) < 0) {
            boolean open = (peek() == '%' || peek() == '$') && at + 1 < text.length() && text.charAt(at + 1) == '{';
            at = open ? afterReference(at) : at + 1;
        }
        if (at == start) {
            throw unexpected("a value; put it in quotation marks if it contains brackets, commas or spaces");
        }
        return new Value(start, text.substring(start, at));
    }

    /** The index after the brace that closes a reference; without one, after its first character. */
    private int afterReference(int from) {
        int last = Math.min(text.length(), from + MAX_REFERENCE);
        for (int i = from; i < last; i++) {
            if (text.charAt(i) == '}') {
                return i + 1;
            }
        }
        return from + 1;
    }

    /** Skips white space and comments; line ends only if they separate nothing here. */
    private void space(boolean lines) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\uFEFF' && at == 0 || lines && c == '\n') {
                at++;
            } else {
                return;
            }
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : END;
    }

    private RuleSyntaxException unexpected(String expected) {
        char c = peek();
        String found = at == text.length()
                ? "the end of the rules"
                : c == '\n'
                        ? "the end of the line"
                        : c > ' ' && c < 0x7f ? "'" + c + "'" : String.format("U+%04X", (int) c);
        return wrong(at, "found " + found + "; expected " + expected);
    }

    private RuleSyntaxException wrong(int place, String what) {
        return new RuleSyntaxException(text, place, what);
    }
}
