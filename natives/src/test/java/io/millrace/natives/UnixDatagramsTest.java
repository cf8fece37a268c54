package io.millrace.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sender of Unix datagrams … */
final class UnixDatagramsTest {

    /** Says when it can receive, and prints a datagram. */
    private static final String RECEIVER = """
            use IO::Socket::UNIX;
            my $address = $ARGV[0] =~ s/^\\@/\\0/r;
            my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $address) or die $!;
            $| = 1;
            print "receiving\\n";
            $socket->recv(my $message, 65536);
            print "$message\\n";
            """;

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(60)
    void reachesAFileAndAnAbstractName(boolean isAbstract) throws Exception {
        String address = (isAbstract ? "@" : "/")
                + directory.resolve("socket").toString().substring(1);
        Process receiver = new ProcessBuilder("perl", "-e", RECEIVER, address)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = receiver.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("receiving", lines.readLine());
            new UnixDatagrams(address).accept("STATUS=größer");
            assertEquals("STATUS=größer", lines.readLine());
        } finally {
            receiver.destroyForcibly();
        }
    }

    @Test
    void saysWhyItCannotSend() {
        UnixDatagrams sender = new UnixDatagrams(directory.resolve("nobody").toString());
        IllegalStateException failed = assertThrows(IllegalStateException.class, () -> sender.accept("READY=1"));
        assertEquals("sendto: No such file or directory", failed.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "relative", "vsock:2:1234"})
    void refusesWhatIsNoAddress(String address) {
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> new UnixDatagrams(address));
        assertEquals(
                "\"" + address
                        + "\" is no address of a Unix domain socket: expected an absolute path, or @ and a name, of at"
                        + " most 107 bytes",
                Objects.requireNonNull(refused.getMessage()));
    }
}
