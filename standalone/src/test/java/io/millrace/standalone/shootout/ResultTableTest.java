package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The tables of a shoot-out … */
final class ResultTableTest {

    @Test
    void haveARowForEachConnectorAndAColumnForEachSize() {
        StringWriter printed = new StringWriter();
        ResultTable.print(SampleResult.of(0.02, 1.05), new PrintWriter(printed));
        String expected = """

                Responses a second, 4 clients
                               servlet  128 KiB
                  nio           40,000   40,000
                  bio           40,000   40,000
                  nio JSSE      40,000   40,000
                  nio OpenSSL   40,000   40,000

                Processor time of a response in microseconds, 4 clients
                               servlet  128 KiB
                  nio             10.0     40.0
                  bio             15.0     60.0
                  nio JSSE        20.0     80.0
                  nio OpenSSL     12.0     48.0
                """;
        assertEquals(expected, printed.toString().substring(0, expected.length()));
        String end = """

                1000 clients wait for a back end that takes 200 ms; or 50 have something computed
                                     responses/s  p99 ms  threads  memory MB  computed/s
                  nio, synchronous         1,000   1,010      225       30.0      20,000
                  nio, asynchronous        4,000     260       30       10.0      19,000

                Other programs took 2 % of the processors, the servers' compilers 1 % of one; rounds differed by 5 % (medians).
                """;
        assertEquals(end, printed.toString().substring(printed.toString().length() - end.length()));
    }
}
