package io.millrace.standalone.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line … */
final class CommandLineTest {

    private static final Syntax SHIP = new Syntax(
            "ship",
            "Ships crates to a port, all of which have to be there before the tide that leaves with them comes.",
            new Operand("CRATE", 1, 2, "What to ship"),
            List.of(
                    Option.of("--port", "NAME", "Where to. Default: Hull"),
                    Option.of("--tons", "N", "How much"),
                    Option.flag("--fast", "By steam")));

    private static final Syntax VERSION = new Syntax("version", "Tells the version.", Operand.NONE, List.of());

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource({
        "ship a, [a] null 1 false",
        "ship a b, '[a, b] null 1 false'",
        "ship --port York a, [a] York 1 false",
        "ship a --port=York --fast, [a] York 1 true",
        "ship --port= a, '[a]  1 false'",
        "ship --tons -3 a, [a] null -3 false",
        "ship --fast -- --port, [--port] null 1 true",
        "ship -, [-] null 1 false",
        "version, version",
        "-V, version",
        "--version, version"
    })
    void understands(String words, String expected) throws Exception {
        assertEquals(0, execute(words), err::toString);
        assertEquals(expected, out.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "'', 'dock: missing command: ship, version'",
        "shop, 'dock: there is no command shop; did you mean ''ship''?'",
        "ship, 'dock: missing operand of ship: CRATE...'",
        "ship a b c, dock: unexpected argument: c",
        "ship --prot=York a, 'dock: there is no option --prot=York; did you mean ''--port''?'",
        "ship -p a, dock: there is no option -p",
        "ship a --port, 'dock: --port needs a value: --port=NAME'",
        "ship --fast=no a, 'dock: --fast=no: --fast takes no value'",
        "ship --fast --fast a, dock: --fast is given twice",
        "ship --tons=many a, 'dock: --tons=many: expected a whole number'"
    })
    void saysWhatIsWrongAndEndsWithStatus2(String words, String expected) throws Exception {
        assertEquals(2, execute(words));
        assertEquals(expected, err.toString().lines().findFirst().orElseThrow());
        assertTrue(err.toString().contains("For help: "), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void listsItsCommands() throws Exception {
        assertEquals(0, execute("--help"));
        assertTrue(out.toString().contains("\n  ship     Ships crates to a port,"), out::toString);
        assertTrue(out.toString().lines().allMatch(line -> line.length() <= 80), out::toString);
    }

    @ParameterizedTest
    @CsvSource({"ship --help", "ship -h", "ship a --tons=many --help"})
    void listsTheOptionsOfACommand(String words) throws Exception {
        assertEquals(0, execute(words));
        assertTrue(out.toString().startsWith("Usage: dock ship [OPTION]... CRATE...\n"), out::toString);
        assertTrue(out.toString().contains("\n  --port=NAME  Where to. Default: Hull\n"), out::toString);
    }

    private int execute(String words) throws Exception {
        CommandLine line = new CommandLine("dock", "Loads ships.", List.of(new Ship(), new Version()));
        return line.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                words.isEmpty() ? new String[0] : words.split(" ", -1));
    }

    private final class Ship implements Command {

        @Override
        public Syntax syntax() {
            return SHIP;
        }

        @Override
        public int run(Arguments arguments) throws UsageException {
            out.append(arguments.operands() + " " + arguments.text("--port") + " " + arguments.number("--tons", 1) + " "
                    + arguments.flag("--fast"));
            return 0;
        }
    }

    private final class Version implements Command {

        @Override
        public Syntax syntax() {
            return VERSION;
        }

        @Override
        public int run(Arguments arguments) {
            out.append("version");
            return 0;
        }
    }
}
