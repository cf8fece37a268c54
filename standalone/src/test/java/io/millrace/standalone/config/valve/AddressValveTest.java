package io.millrace.standalone.config.valve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Valve that admits clients by their addresses … */
final class AddressValveTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RemoteCIDRValve | 10.0.0.0/8, ::1 | 0:0:0:0:0:0:0:1 | true",
                "RemoteCIDRValve | 10.0.0.0/8, ::1 | 10.9.8.7 | true",
                "RemoteCIDRValve | 10.0.0.0/8, ::1 | 11.0.0.1 | false",
                "RemoteAddrValve | 10\\.0\\..* | 10.0.7.7 | true",
                "RemoteAddrValve | 10\\.0\\..* | 10.1.7.7 | false",
                "RemoteAddrValve | '' | 10.1.7.7 | false",
            })
    void admitsThoseThatItAllows(String type, String allow, String client, boolean admitted) {
        AddressValve kind = type.equals("RemoteCIDRValve") ? AddressValve.byRange() : AddressValve.byAddress();
        Element valve = new ElementReader(element -> kind, new Problems("server.xml"))
                .read(new XmlElement(
                        "Valve", 1, "line 1", List.of(new XmlElement.Attribute("allow", allow, 1)), List.of(), ""));
        assertEquals(admitted, kind.rule(valve).allows(client));
    }
}
