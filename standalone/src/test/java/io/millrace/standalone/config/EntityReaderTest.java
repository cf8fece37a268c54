package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server.xml that is split by entities … */
final class EntityReaderTest {

    private static final String REST = "<Engine><Host/></Engine></Service></Server>";

    @TempDir
    private Path base = Path.of("");

    private final Problems problems = new Problems("conf/server.xml");

    @BeforeEach
    void conf() throws IOException {
        Files.createDirectories(base.resolve("conf/parts"));
    }

    private @Nullable ServerConfig read(String text) throws IOException {
        Path file = base.resolve("conf/server.xml");
        Files.writeString(file, text);
        return new ServerXml(base, Set.of("nio"), problems).read(file);
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }

    @Test
    void isPutTogether() throws IOException {
        Files.writeString(base.resolve("conf/parts/ports.xml"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <Connector port="&http;"/>
                <!-- &nothing; -->
                <Connector
                    maxThread="7" port="2"/>
                """);
        ServerConfig config = read("""
                <?xml version="1.0"?>
                <!-- &not; one -->
                <!DOCTYPE Server [
                  <!ENTITY ports SYSTEM "parts/ports.xml">
                  <!-- of a kind -->
                  <!ENTITY http '1'>
                ]>
                <Server><Service name="a &amp; b">&ports;
                <Connector port="3" maxThread="8"/>
                """ + REST);
        assertNotNull(config, () -> found().toString());
        assertEquals(
                List.of(1, 2, 3),
                config.services().get(0).connectors().stream()
                        .map(ServerConfig.Connector::port)
                        .toList());
        assertEquals("a & b", config.services().get(0).name());
        assertEquals(
                List.of(
                        "conf/parts/ports.xml:5: warning: unknown attribute 'maxThread' on Connector; did you mean 'maxThreads'?",
                        "conf/server.xml:9: warning: unknown attribute 'maxThread' on Connector; did you mean 'maxThreads'?"),
                found());
    }

    @Test
    void isNamedWithItsFileWhereAMessageSpeaksOfAnotherElement() throws IOException {
        Files.writeString(base.resolve("conf/parts/ports.xml"), "<!-- one -->\n\n<Connector port='8081'/>\n");
        Files.writeString(
                base.resolve("conf/parts/hosts.xml"),
                "\n<Host name='a'>\n<Context path='/x' docBase='x'/>\n</Host>\n<Host name='b'><Alias>A</Alias></Host>");
        assertNull(read("""
                <!DOCTYPE Server [
                  <!ENTITY ports SYSTEM "parts/ports.xml">
                  <!ENTITY hosts SYSTEM "parts/hosts.xml">
                ]>
                <Server><Service>&ports;
                <Connector port="8081"/>
                <Engine defaultHost="a">&hosts;
                <Host name="c"/>
                <Host name="C"/>
                </Engine></Service></Server>
                """));
        assertEquals(
                List.of(
                        "conf/server.xml:6: error: port 8081 is already used by the Connector in line 3 of conf/parts/ports.xml",
                        "conf/parts/hosts.xml:5: error: host name 'A' is already used by the Host in line 2 of conf/parts/hosts.xml; give each its own",
                        "conf/server.xml:9: error: host name 'C' is already used by the Host in line 8 of conf/server.xml; give each its own"),
                found());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [<!ENTITY x SYSTEM "http://example.com/x.xml">] | conf/server.xml:2: error: the entity x is "http://example.com/x.xml": URLs are not fetched
            [<!ENTITY x SYSTEM "file:///etc/passwd">] | error: the entity x is "file:///etc/passwd": it is not below the base directory
            [<!ENTITY x SYSTEM "../../../../../../../../../etc/passwd">] | it is not below the base directory
            [<!ENTITY x SYSTEM "missing.xml">] | the entity x is "missing.xml": there is no such file
            SYSTEM "http://example.com/x.dtd" | The entity "x" was referenced, but not declared
            SYSTEM "http://example.com/x.dtd" [<!ENTITY x "y">] | an external DTD is not supported
            [<!ENTITY % x SYSTEM "y">] | expected <!ENTITY name SYSTEM "file.xml"> in the DOCTYPE
            [<!ATTLIST Server port CDATA "1">] | expected <!ENTITY name SYSTEM "file.xml"> in the DOCTYPE
            [<!ENTITY x "&y;"><!ENTITY y "&x;">] | the entities are nested deeper than 8
            [<!ENTITY x "&y;&y;&y;&y;"><!ENTITY y "&z;&z;&z;&z;"><!ENTITY z "&z;">] | the entities are nested deeper than 8
            """)
    void isRefused(String doctype, String why) throws IOException {
        assertNull(read("\n<!DOCTYPE Server " + doctype + "><Server>&x;<Service><Connector port='1'/>" + REST));
        assertTrue(found().get(0).contains(why), () -> found().toString());
    }

    @Test
    void isRefusedIfItGrowsTooLarge() throws IOException {
        String large = " ".repeat(70_000);
        assertNull(read("<!DOCTYPE Server [<!ENTITY a \"" + large + "\"><!ENTITY b \"" + "&a;".repeat(100)
                + "\">]><Server>&b;<Service><Connector port='1'/>" + REST));
        assertTrue(found().get(0).contains("longer than"), () -> found().toString());
    }

    @Test
    void mayNotHaveAFileInAnAttribute() throws IOException {
        Files.writeString(base.resolve("conf/secret"), "x");
        assertNull(read("<!DOCTYPE Server [<!ENTITY x SYSTEM 'secret'>]>\n<Server shutdown='&x;'/>"));
        assertTrue(found().get(0).contains("is used in an attribute"), () -> found().toString());
    }
}
