package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import io.millrace.standalone.shootout.ShootoutResult.Tls;
import io.millrace.standalone.shootout.ShootoutResult.Workload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of a shoot-out … */
final class ShootoutOptionsTest {

    @TempDir
    private Path directory = Path.of("");

    /** Reads the options, and measures nothing. */
    private static final class Reading implements Command {

        @Nullable
        ShootoutOptions options;

        @Override
        public Syntax syntax() {
            return ShootoutSyntax.SYNTAX;
        }

        @Override
        public int run(Arguments arguments) throws UsageException, OperatorException {
            options = ShootoutOptions.of(arguments, List.of("apr", "bio", "nio", "nio2"));
            return 0;
        }
    }

    private static ShootoutOptions read(String... words) throws Exception {
        Reading reading = new Reading();
        assertEquals("", errors(reading, words));
        return Objects.requireNonNull(reading.options);
    }

    private static String errors(Command command, String... words) throws Exception {
        String[] all = new String[words.length + 1];
        all[0] = "shootout";
        System.arraycopy(words, 0, all, 1, words.length);
        StringWriter errors = new StringWriter();
        PrintWriter err = new PrintWriter(errors, true);
        try {
            new CommandLine("millrace", "", List.of(command)).execute(err, err, all);
        } catch (OperatorException e) {
            return String.valueOf(e.getMessage());
        }
        return errors.toString();
    }

    @Test
    void haveDefaultsThatMeasureEverything() throws Exception {
        ShootoutOptions options = read();
        assertEquals(List.of("nio", "nio2", "apr", "bio"), options.transports());
        assertEquals(List.of(Tls.PLAIN, Tls.JSSE, Tls.OPENSSL), options.tls());
        assertEquals(
                List.of("servlet", "4 KiB", "128 KiB", "4 MiB"),
                options.workloads().stream().map(Workload::title).toList());
        assertEquals(List.of(4, 40), options.clients());
        assertTrue(read("--quick").workloads().size() < options.workloads().size());
    }

    @Test
    void areLists() throws Exception {
        ShootoutOptions options =
                read("--transports", "bio, nio", "--tls=jsse", "--sizes=808,4K,4k,2m", "--clients=1,1,80");
        assertEquals(List.of("bio", "nio"), options.transports());
        assertEquals(List.of(Tls.JSSE), options.tls());
        assertEquals(
                List.of(
                        new Workload("808 bytes", "/file/808.bin", 808),
                        new Workload("4 KiB", "/file/4k.bin", 4096),
                        new Workload("2 MiB", "/file/2m.bin", 2 * 1024 * 1024)),
                options.workloads());
        assertEquals(List.of(1, 80), options.clients());
    }

    @Test
    void measureAPageOfAnApplication() throws Exception {
        Path shop = Files.createDirectories(directory.resolve("shop"));
        assertEquals(
                List.of(new Workload("/shop/", "/shop/", -1)),
                read(shop.toString()).workloads());
        ShootoutOptions options = read(shop + "=/store", "--url", "/store/list?page=2");
        assertEquals("/store/list?page=2", options.workloads().get(0).path());
        assertEquals(0, options.waiting());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--transport=nio| there is no option --transport=nio; did you mean '--transports'?",
                "--transports=nio3| --transports: there is no 'nio3', but nio,nio2,apr,bio; did you mean 'nio'?",
                "--tls=opensl| --tls: there is no 'opensl', but plain,jsse,openssl; did you mean 'openssl'?",
                "--sizes=4kb| --sizes: '4kb' is no size; expected servlet, or bytes up to 1024m, such as 808, 4k or 8m",
                "--sizes=2000m| --sizes: '2000m' is no size",
                "--sizes=4k,,8k| --sizes: '' is no size",
                "--clients=0| --clients: '0' is no number from 1 to 20000",
                "--clients=many| --clients: 'many' is no number from 1 to 20000",
                "--seconds=0| --seconds=0: expected a number from 1 to 600",
                "--rounds=x| --rounds=x: expected a whole number",
                "--ports=9000| --ports=9000: expected the first and the last port, such as 9000-9020",
                "--ports=9020-9000| expected the first and the last port",
                "--ports=65000-70000| expected the first and the last port",
                "--heap=12| --heap=12: expected a size such as 512m or 2g",
                "--url=/shop| --url needs the WAR whose page it is",
                "--beside=tomcat| --beside: 'tomcat': expected a name and the address of a server, such as",
                "--beside=a=http://localhost/x| expected a name and the address of a server",
                "--report=/nowhere/at/all.html| --report=/nowhere/at/all.html cannot be written: there is no directory",
                "--json=/| is a directory; name a file",
                "missing.war| missing.war: there is no such file or directory"
            })
    void sayWhatIsWrongAndWhatToDo(String word, String expected) throws Exception {
        String found = errors(new Reading(), word);
        assertTrue(found.contains(expected), found);
    }
}
