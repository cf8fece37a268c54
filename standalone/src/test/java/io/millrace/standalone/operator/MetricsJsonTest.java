package io.millrace.standalone.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Metrics as JSON … */
final class MetricsJsonTest {

    @Test
    void haveNameLabelsAndValue() {
        String text = """
                # HELP a_total Things
                # TYPE a_total counter
                a_total{application="/a \\"b\\"\\\\{c} d",code="2xx"} 12
                b 0.25
                c{le="+Inf"} +Inf
                d 1.5E-7
                """;
        assertEquals("""
                [{"name":"a_total","labels":{"application":"/a \\"b\\"\\\\{c} d","code":"2xx"},"value":12},
                {"name":"b","labels":{},"value":0.25},
                {"name":"c","labels":{"le":"+Inf"},"value":"+Inf"},
                {"name":"d","labels":{},"value":1.5E-7}]
                """, MetricsJson.of(text));
        assertEquals("[]\n", MetricsJson.of(""));
    }
}
