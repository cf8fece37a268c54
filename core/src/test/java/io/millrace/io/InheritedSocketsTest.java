package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.BindException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The sockets that a process inherits by name … */
final class InheritedSocketsTest {

    private static final InheritedAddress WEB = InheritedAddress.named("web");

    private static InheritedSockets sockets(String process, String count, String names) {
        return new InheritedSockets(Map.of("LISTEN_PID", process, "LISTEN_FDS", count, "LISTEN_FDNAMES", names), 4711);
    }

    private static String refusal(InheritedSockets sockets) {
        return String.valueOf(
                assertThrows(BindException.class, () -> sockets.open(WEB, true)).getMessage());
    }

    @Test
    void areThoseOfThisProcessOnly() {
        assertEquals(List.of("web", "tls"), sockets("4711", "2", "web:tls").unused());
        assertEquals(List.of(), sockets("4710", "2", "web:tls").unused());
        assertEquals(List.of(), sockets("4711", "many", "web:tls").unused());
        assertEquals(List.of("web", "unknown"), sockets("4711", "2", "web").unused());
        assertEquals(List.of(), new InheritedSockets(Map.of(), 4711).unused());
    }

    @Test
    void areNamedIfTheWantedOneIsMissing() {
        assertEquals(
                "cannot listen on the inherited socket \"web\": the process was started with no sockets (LISTEN_FDS); a .socket"
                        + " unit with FileDescriptorName=web opens it",
                refusal(sockets("4711", "0", "")));
        assertEquals(
                "cannot listen on the inherited socket \"web\": the process was started with those named http, tls;"
                        + " FileDescriptorName= of the .socket unit names them",
                refusal(sockets("4711", "2", "http:tls")));
    }

    /** Descriptor 3 of a JVM is a file of its own. */
    @Test
    void haveToListenAndAreUsedOnce() {
        InheritedSockets sockets = sockets("4711", "1", "web");
        assertEquals(
                "cannot listen on the inherited socket \"web\": descriptor 3 is no listening stream socket; write ListenStream="
                        + " and Accept=no in the .socket unit",
                refusal(sockets));
        assertEquals(
                "cannot listen on the inherited socket \"web\": the process was started with those named web, and another"
                        + " connector uses it",
                refusal(sockets));
    }
}
