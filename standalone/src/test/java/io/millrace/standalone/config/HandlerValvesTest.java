package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.forwarded.RemoteIp;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.HandlerValve;
import io.millrace.standalone.config.valve.ValveKind;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Valve that stands for a handler … */
final class HandlerValvesTest {

    private static final String VALVES = "org.apache.catalina.valves.";

    private final Problems problems = new Problems("server.xml");

    @TempDir
    private Path base = Path.of("");

    private Element inHost(String type, String attributes) {
        ServerConfig config = new ServerXml(base, Set.of("nio"), problems)
                .parse("<Server><Service><Connector port='0'/><Engine><Host>" + valve(type, attributes)
                        + "</Host></Engine></Service></Server>");
        assertNotNull(config, () -> problems.inOrder().toString());
        return config.services().get(0).engine().hosts().get(0).valves().get(0);
    }

    private static String valve(String type, String attributes) {
        return "<Valve className='" + VALVES + type + "' " + attributes + "/>";
    }

    private ContextReading inContext(String valves) throws IOException {
        Path file = base.resolve("webapps/shop/META-INF/context.xml");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, "<Context>" + valves + "</Context>");
        return ContextFiles.of(base, base.resolve("conf/Catalina/localhost"), List.of(), true)
                .read("shop", base.resolve("webapps/shop"));
    }

    @Test
    void readsTheFilesOfErrorReports() {
        Element valve = inHost(
                "ErrorReportValve",
                "showReport='false' errorCode.404='conf/404.html' errorCode.0='conf/any.html'"
                        + " exceptionType.java.io.IOException='conf/io.html'");
        List<String> unread = new ArrayList<>();
        ((HandlerValve) valve.kind()).handler(valve, base, unread::add);
        assertEquals(
                List.of("conf/404.html", "conf/any.html", "conf/io.html"),
                unread.stream()
                        .map(warning -> base.relativize(Path.of(warning.replaceFirst("the error page (\\S+) .*", "$1")))
                                .toString())
                        .toList());
        assertEquals(List.of(), problems.inOrder());
    }

    @Test
    void readsFrontEndsOfContexts() throws IOException {
        ContextReading reading =
                inContext(valve("RemoteIpValve", "internalProxies='10.0.0.0/8' remoteIpHeader='X-Client'"));
        assertNull(reading.defect());
        assertEquals(List.of(), reading.problems());
        Element valve = reading.settings().valves().get(0);
        assertEquals("X-Client", valve.get(RemoteIp.REMOTE_IP_HEADER));
        assertEquals(
                Set.of("X-Client", "X-Forwarded-By", "X-Forwarded-Proto"),
                ((ValveKind) valve.kind()).frontEndHeaders(valve));
    }

    @Test
    void believesNoTwoFieldsOfFrontEndsInOneContext() throws IOException {
        String own = "<Valve className='io.millrace.forwarded.ForwardedField' trusted='10.0.0.0/8'/>";
        assertNull(inContext(own).defect());
        String defect = inContext(own + valve("RemoteIpValve", "")).defect();
        assertNotNull(defect);
        assertTrue(defect.contains("RemoteIpValve and ForwardedField for the same requests"), defect);
        assertNotNull(inContext("<Valve className='io.millrace.forwarded.ForwardedField'/>")
                .defect());
    }
}
