package io.millrace.standalone.cli;

import io.millrace.text.EditDistance;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Parses options and operands, in any order; after {@code --} there are only operands. */
final class ArgumentReader {

    private final Syntax syntax;
    private final Map<String, String> options = new HashMap<>();
    private final List<String> operands = new ArrayList<>();

    private ArgumentReader(Syntax syntax) {
        this.syntax = syntax;
    }

    static Arguments read(Syntax syntax, List<String> words) throws UsageException {
        ArgumentReader reader = new ArgumentReader(syntax);
        reader.read(new ArrayDeque<>(words));
        return new Arguments(reader.options, reader.operands);
    }

    private void read(Deque<String> words) throws UsageException {
        while (!words.isEmpty()) {
            String word = words.pop();
            if (word.equals("--")) {
                operands.addAll(words);
                words.clear();
            } else if (word.startsWith("-") && word.length() > 1) {
                option(word, words);
            } else {
                operands.add(word);
            }
        }
        checkOperands();
    }

    private void option(String word, Deque<String> following) throws UsageException {
        int equals = word.indexOf('=');
        Option option = known(word, equals < 0 ? word : word.substring(0, equals));
        String value;
        if (option.isFlag()) {
            if (equals >= 0) {
                throw new UsageException(word + ": " + option.name() + " takes no value");
            }
            value = "";
        } else if (equals >= 0) {
            value = word.substring(equals + 1);
        } else if (!following.isEmpty()) {
            value = following.pop();
        } else {
            throw new UsageException(option.name() + " needs a value: " + option.shown());
        }
        if (options.put(option.name(), value) != null) {
            throw new UsageException(option.name() + " is given twice");
        }
    }

    private Option known(String word, String name) throws UsageException {
        List<String> names = syntax.options().stream().map(Option::name).toList();
        int index = names.indexOf(name);
        if (index < 0) {
            throw new UsageException("there is no option " + word + EditDistance.suggestion(name, names));
        }
        return syntax.options().get(index);
    }

    private void checkOperands() throws UsageException {
        Operand operand = syntax.operand();
        if (operands.size() < operand.least()) {
            throw new UsageException("missing operand of " + syntax.name() + ": " + operand.shown());
        }
        if (operands.size() > operand.most()) {
            throw new UsageException("unexpected argument: " + operands.get(operand.most()));
        }
    }
}
