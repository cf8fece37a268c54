package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.LocalPort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The httpd of these tests, which run beside others, … */
final class HttpdIT {

    @TempDir
    Path base;

    @Test
    void isNotThereIfSomebodyElseListensOnItsPortAndSaysSo() throws Exception {
        int port = LocalPort.free();
        Httpd.Builder builder = new Httpd.Builder(base)
                .file("workers.properties", "worker.list=none\nworker.none.type=ajp13\n")
                .global("Listen 127.0.0.1:" + port)
                .global("JkWorkersFile workers.properties");
        try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            Httpd httpd = builder.start();
            AssertionError failure = assertThrows(AssertionError.class, httpd::awaitReady, other.toString());
            String said = failure.toString();
            assertTrue(said.contains("could not bind to address 127.0.0.1:" + port), said);
        }
    }
}
