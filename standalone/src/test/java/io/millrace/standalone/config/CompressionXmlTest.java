package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.compression.Compression;
import io.millrace.compression.CompressionMode;
import io.millrace.compression.RequestDecompression;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.testkit.Connectors;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Connector says of compression … */
final class CompressionXmlTest {

    private final Problems problems = new Problems("server.xml");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            port='0'                                       | OFF   | 2048
            compressionMinSize='9'                         | OFF   | 9
            compression='off'                              | OFF   | 2048
            compression='on'                               | ON    | 2048
            compression='force' compressionMinSize='9'     | FORCE | 9
            compression='on' compressionMinSize='9'        | ON    | 9
            compression='500'                              | ON    | 500
            compression='500' compressionMinSize='9'       | ON    | 500
            compressionMinSize='9' compression='500'       | ON    | 500
            protocol='AJP/1.3' secret='s' compression='on' | ON    | 2048
            """)
    void namesAWordOrTheLeastSize(String attributes, CompressionMode mode, int minSize) {
        Connectors.assume(attributes.contains("AJP"), "ajp");
        Settings settings = settings(attributes);
        assertEquals(mode, settings.get(Compression.MODE));
        assertEquals(minSize, settings.get(Compression.MIN_SIZE));
    }

    @Test
    void leavesStrongTagsAloneUnlessToldOtherwise() {
        assertEquals(true, settings("compression='on'").get(Compression.NO_COMPRESSION_STRONG_ETAG));
        Settings told = settings("compression='on' noCompressionStrongETag='false'");
        assertEquals(false, told.get(Compression.NO_COMPRESSION_STRONG_ETAG));
    }

    @Test
    void namesTypesClientsAndCodings() {
        Settings settings = settings(
                "compressibleMimeType='text/css , text/x' noCompressionUserAgents='Old.*' compressionCodings='br,gzip'");
        assertEquals(Set.of("text/css", "text/x"), settings.get(Compression.COMPRESSIBLE_MIME_TYPE));
        assertEquals("Old.*", String.valueOf(settings.find(Compression.NO_COMPRESSION_USER_AGENTS)));
        assertEquals(Set.of("br", "gzip"), settings.get(Compression.CODINGS));
    }

    @Test
    void leavesRequestsAloneUnlessALimitIsNamed() {
        assertNull(settings("compression='on'").find(RequestDecompression.MAX_SIZE));
        assertEquals(7L, settings("decompressionMaxSize='7'").find(RequestDecompression.MAX_SIZE));
        assertEquals(
                3_000_000_000L, settings("decompressionMaxSize='3000000000'").find(RequestDecompression.MAX_SIZE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "compression='ON'",
                "compression='-1'",
                "compression='2k'",
                "compressionMinSize='-1'",
                "noCompressionUserAgents='('",
                "compressionCodings='gzip,lzma'",
                "decompressionMaxSize='-1'"
            })
    void isRefusedIfItMeansNothing(String attributes) {
        assertNull(read(attributes));
        assertEquals(1, problems.inOrder().size(), () -> problems.inOrder().toString());
    }

    @Test
    void saysTheLargestLimitIfOneIsBeyondIt() {
        assertNull(read("decompressionMaxSize='9223372036854775808'"));
        assertEquals(
                "server.xml:1: error: decompressionMaxSize=\"9223372036854775808\" on Connector: expected a number from 0 to"
                        + " 9223372036854775807",
                problems.inOrder().get(0).toString());
    }

    private Settings settings(String attributes) {
        ServerConfig config = read(attributes);
        assertEquals(List.of(), problems.inOrder());
        assertNotNull(config);
        return Objects.requireNonNull(config)
                .services()
                .get(0)
                .connectors()
                .get(0)
                .settings();
    }

    private @Nullable ServerConfig read(String attributes) {
        String port = attributes.startsWith("port=") ? "" : "port='0' ";
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems)
                .parse("<Server><Service><Connector " + port + attributes
                        + "/><Engine><Host/></Engine></Service></Server>");
    }
}
