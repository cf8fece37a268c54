package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of a proxy, as options of its command. They … */
final class SettingOptionsTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Settings read = Settings.DEFAULTS;

    private final class Reading implements Command {

        @Override
        public Syntax syntax() {
            return new Syntax("read", "Reads.", Operand.NONE, SettingOptions.behind(ProxyOptions.all(), List.of()));
        }

        @Override
        public int run(Arguments arguments) throws UsageException {
            read = SettingOptions.read(ProxyOptions.all(), arguments);
            return 0;
        }
    }

    private int execute(Command command, String... words) throws Exception {
        return new CommandLine("test", "Tests.", List.of(command))
                .execute(new PrintWriter(out, true), new PrintWriter(err, true), words);
    }

    @Test
    void areAllInTheHelpOfTheProxy() throws Exception {
        assertEquals(0, execute(new ProxyCommand(new PrintWriter(out), stop -> {}), "proxy", "--help"));
        for (Setting<?> each : ProxyOptions.all()) {
            assertNotNull(each.description(), each.name());
            assertTrue(out.toString().contains("\n  " + SettingOptions.name(each) + "="), each.name());
        }
    }

    @Test
    void areReadAsAttributesAre() throws Exception {
        String[] words = {
            "read",
            "--health-path=/health",
            "--slow-start=0",
            "--proxy-protocol",
            "v2",
            "--retries=3",
            "--retry-on=timeout,503",
            "--preserve-host=false"
        };
        assertEquals(0, execute(new Reading(), words), err::toString);
        assertEquals("/health", read.get(ProxyOptions.HEALTH_PATH));
        assertEquals(Duration.ZERO, read.get(ProxyOptions.SLOW_START));
        assertEquals("v2", read.get(ProxyOptions.PROXY_PROTOCOL));
        assertEquals(3, read.get(ProxyOptions.RETRIES));
        assertEquals(Set.of("timeout", "503"), read.get(ProxyOptions.RETRY_ON));
        assertEquals(false, read.get(ProxyOptions.PRESERVE_HOST));
        assertEquals(200, read.get(ProxyOptions.MAX_WAITING));
    }

    @ParameterizedTest
    @CsvSource({
        "--retries=many, '--retries=many: expected a number from 0 to 100'",
        "--retry-on=200, '--retry-on=200: expected timeout, malformed or statuses from 400 to 599, between commas'",
        "--preserve-host=no, '--preserve-host=no: expected true or false'"
    })
    void sayWhatIsWrong(String word, String expected) throws Exception {
        assertEquals(2, execute(new Reading(), "read", word));
        assertTrue(err.toString().contains(expected), err::toString);
    }
}
