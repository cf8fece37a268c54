package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Range field … */
final class ByteRangesTest {

    private static String parsed(String field, long length) {
        List<ByteRange> ranges = ByteRanges.parse(field, length);
        return ranges == null
                ? "ignored"
                : ranges.stream()
                        .map(range -> range.from() + "+" + range.length())
                        .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-0 | 0+1",
                "bytes=0-499 | 0+500",
                "BYTES=500-999 | 500+500",
                "bytes=-500 | 9500+500",
                "bytes=-20000 | 0+10000",
                "bytes=9500- | 9500+500",
                "bytes=9999-99999 | 9999+1",
                "bytes=0-99999999999999999999 | 0+10000",
                "bytes=0-0,-1 | 0+1 9999+1",
                "bytes= 0-9 , 5000-5009 | 0+10 5000+10",
                "bytes=5000-5009,0-9 | 5000+10 0+10",
                "bytes=,0-9,, | 0+10",
            })
    void takesWhatIsThere(String field, String expected) {
        assertEquals(expected, parsed(field, 10_000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-99,50-149 | 0+150",
                "bytes=0-99,100-199 | 0+200",
                "bytes=0-9,60-69 | 0+70",
                "bytes=0-9,1000-1009,5-999 | 0+1010",
                "bytes=500-600,0-9999 | 0+10000",
                "bytes=0-9,20000-20001 | 0+10",
            })
    void putsTogetherWhatTouchesAndLeavesOutWhatIsNotThere(String field, String expected) {
        assertEquals(expected, parsed(field, 10_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10000-", "bytes=10000-10001,20000-", "bytes=-0"})
    void canBeImpossible(String field) {
        assertEquals("", parsed(field, 10_000));
    }

    /** A request for a kilobyte of an empty file gets an empty response, not an error. */
    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-", "bytes=-0", "bytes=-5", "bytes=0-1023", "bytes=5-"})
    void ofAnEmptyFileIsTheWhole(String field) {
        assertEquals("ignored", parsed(field, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "items=0-5",
                "bytes",
                "bytes=",
                "bytes=,",
                "bytes=5-1",
                "bytes=a-b",
                "bytes=-",
                "bytes=1",
                "bytes=--1",
                "bytes=+1-2",
                "bytes=1-2-3",
                "bytes=0-1,x",
                "bytes=0x1-2",
                "bytes=\u0661-\u0662",
            })
    void isIgnoredIfNotUnderstood(String field) {
        assertEquals("ignored", parsed(field, 10_000));
    }

    @Test
    void isIgnoredIfItAsksForTooMany() {
        String many =
                IntStream.range(0, 51).mapToObj(i -> i * 150 + "-" + i * 150).collect(Collectors.joining(","));
        assertEquals("ignored", parsed("bytes=" + many, 10_000));
        assertEquals(
                50,
                parsed("bytes=" + many.substring(0, many.lastIndexOf(',')), 10_000)
                        .split(" ")
                        .length);
    }

    @Test
    void reachesBeyondTwoGigabytes() {
        assertEquals("3000000000+1000000000", parsed("bytes=3000000000-3999999999", 5L << 30));
        assertEquals("5368709119+1", parsed("bytes=-1", 5L << 30));
    }
}
