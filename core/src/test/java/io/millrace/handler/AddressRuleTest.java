package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.net.AddressSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A rule of addresses … */
final class AddressRuleTest {

    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
            10\\.1\\.2\\.3 | - | 10.1.2.3 | true
            10\\.1\\.2 | - | 10.1.2.3 | false
            10\\..* | 10\\.1\\..* | 10.1.2.3 | false
            10\\..* | 10\\.2\\..* | 10.1.2.3 | true
            - | 10\\.1\\..* | 10.1.2.3 | false
            - | 10\\.2\\..* | 10.1.2.3 | true
            - | - | 10.1.2.3 | false
            10\\.1\\.2\\.3;8443 | - | 10.1.2.3;8443 | true
            10\\.1\\.2\\.3;8443 | - | 10.1.2.3;8080 | false
            0:0:0:0:0:0:0:1 | - | ::1 | true
            ::1 | - | 0:0:0:0:0:0:0:1 | true
            - | ::1 | 0:0:0:0:0:0:0:1 | false
            - | 0:0:0:0:0:0:0:1 | ::1 | false
            - | 2001:db8::a | 2001:0DB8::000A | false
            2001:db8::a | - | 2001:db8:0:0:0:0:0:a;1 | false
            2001:db8::a;1 | - | 2001:db8:0:0:0:0:0:a;1 | true
            - | fe80::1 | fe80:0:0:0:0:0:0:1%eth0 | false
            10\\.0\\.0\\.1 | - | ::ffff:10.0.0.1 | true
            - | 10\\.0\\.0\\.1 | ::ffff:a00:1 | false
            (?!::1$).* | - | 0:0:0:0:0:0:0:1 | false
            (?!0:0:0:0:0:0:0:1$).* | - | ::1 | false
            (?!::1$).* | - | 10.0.0.1 | true
            .*\\.example\\.org | - | a.example.org | true
            - | .*\\.example\\.org | A.EXAMPLE.org | false
            """)
    void matchesPatternsAsAWholeInEverySpelling(
            @Nullable String allow, @Nullable String deny, String client, boolean isIn) {
        assertEquals(isIn, AddressRule.patterns(pattern(allow), pattern(deny)).allows(client));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
            10.0.0.0/8 | - | 10.1.2.3 | true
            10.0.0.0/8 | - | 11.1.2.3 | false
            10.0.0.0/8 | 10.1.0.0/16 | 10.1.2.3 | false
            - | 10.1.0.0/16 | 10.2.0.1 | true
            - | - | 10.2.0.1 | false
            127.0.0.1,::1 | - | 0:0:0:0:0:0:0:1 | true
            2001:DB8::/32 | - | 2001:db8:0:0:0:0:0:7 | true
            fe80::/10 | - | fe80:0:0:0:0:0:0:1%2 | true
            10.0.0.0/8 | - | ::ffff:10.0.0.1 | true
            ::ffff:10.0.0.0/104 | - | 10.1.2.3 | true
            ::ffff:10.0.0.0/104 | - | 11.1.2.3 | false
            - | 10.0.0.0/8 | unknown | false
            """)
    void contains(@Nullable String allow, @Nullable String deny, String client, boolean isIn) {
        assertEquals(isIn, AddressRule.ranges(set(allow), set(deny)).allows(client));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
            10.0.0.0/8;8443 | - | 10.1.2.3;8443 | true
            10.0.0.0/8;8443 | - | 10.1.2.3;8080 | false
            10.0.0.0/8;8.* | 10.1.2.3;8080 | 10.1.2.3;8080 | false
            - | 10.0.0.0/8;8080 | 10.1.2.3;8443 | true
            ::/0;.* | - | 10.1.2.3;8443 | false
            ::/0;.* | - | ::1;8443 | true
            10.0.0.0/8;8443 | - | 10.1.2.3 | false
            """)
    void comparesPorts(@Nullable String allow, @Nullable String deny, String client, boolean isIn) {
        AddressRule rule = AddressRule.rangesWithPorts(allow == null ? "" : allow, deny == null ? "" : deny);
        assertEquals(isIn, rule.allows(client));
    }

    @Test
    void refusesARangeWithoutThePortThatIsCompared() {
        assertThrows(IllegalArgumentException.class, () -> AddressRule.rangesWithPorts("10.0.0.0/8", ""));
        assertThrows(IllegalArgumentException.class, () -> AddressRule.rangesWithPorts("", "10.0.0.0/8;["));
        assertThrows(IllegalArgumentException.class, () -> AddressSet.parse("::ffff:10.0.0.0/95"));
        assertFalse(AddressRule.rangesWithPorts("", "").allows("10.0.0.1;1"));
    }

    private static @Nullable Pattern pattern(@Nullable String text) {
        return text == null ? null : Pattern.compile(text);
    }

    private static AddressSet set(@Nullable String text) {
        return AddressSet.parse(text == null ? "" : text);
    }
}
