package io.millrace.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings … */
class SettingsTest {

    enum Timing {
        ON_READ,
        IMMEDIATELY
    }

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Integer> COUNT = GROUP.add("count", SettingType.number(1, 100), 7);
    private static final Setting<Boolean> FLAG = GROUP.add("flag", SettingType.FLAG, true);
    private static final Setting<Duration> TIME = GROUP.add("time", SettingType.MILLISECONDS, Duration.ofSeconds(1));

    @Test
    void haveTheDefaultOfWhatIsNotSet() {
        assertEquals(7, Settings.DEFAULTS.get(COUNT));
        assertFalse(Settings.DEFAULTS.isSet(COUNT));
        assertEquals(7, Settings.DEFAULTS.with(TIME, Duration.ZERO).get(COUNT));
    }

    @Test
    void haveNothingWhereNothingIsSetWithoutADefault() {
        Setting<Path> file = new SettingGroup().optional("file", SettingType.FILE);
        assertNull(Settings.DEFAULTS.find(file));
        assertThrows(IllegalStateException.class, () -> Settings.DEFAULTS.get(file));
        assertEquals(Path.of("a/b"), Settings.DEFAULTS.withText(file, "a/b").find(file));
        assertEquals(
                Path.of("/c d"),
                Settings.DEFAULTS.withText(file, "file:///c%20d").get(file));
        assertThrows(IllegalArgumentException.class, () -> Settings.DEFAULTS.withText(file, " "));
    }

    @Test
    void areNotChangedByWith() {
        Settings first = Settings.DEFAULTS.with(COUNT, 1);
        Settings second = first.with(COUNT, 2).with(FLAG, false);
        assertEquals(1, first.get(COUNT));
        assertTrue(first.get(FLAG));
        assertEquals(2, second.get(COUNT));
        assertFalse(second.get(FLAG));
        assertTrue(second.isSet(COUNT));
    }

    @Test
    void nameTheLimitsOfAValueBeyondThem() {
        Exception value = assertThrows(IllegalArgumentException.class, () -> Settings.DEFAULTS.with(COUNT, 101));
        assertEquals("count is 101; expected a number from 1 to 100", value.getMessage());
        Exception text = assertThrows(IllegalArgumentException.class, () -> Settings.DEFAULTS.withText(COUNT, "many"));
        assertEquals("count is \"many\"; expected a number from 1 to 100", text.getMessage());
        Duration negative = Duration.ofMillis(-1);
        assertThrows(IllegalArgumentException.class, () -> Settings.DEFAULTS.with(TIME, negative));
    }

    @Test
    void refuseWhatTheirOwnerDoesNotRead() {
        Setting<Integer> other = new SettingGroup().add("other", SettingType.number(1, 100), 7);
        Exception refused =
                assertThrows(IllegalArgumentException.class, () -> Settings.DEFAULTS.with(GROUP.settings(), other, 1));
        assertEquals("other would have no effect here; expected one of count, flag, time", refused.getMessage());
        assertEquals(9, Settings.DEFAULTS.with(GROUP.settings(), COUNT, 9).get(COUNT));
    }

    @Test
    void readTextsAsServerXmlWritesThem() {
        assertEquals(5, Settings.DEFAULTS.withText(COUNT, " 5 ").get(COUNT));
        assertEquals(Duration.ZERO, Settings.DEFAULTS.withText(TIME, "-1").get(TIME));
        assertFalse(Settings.DEFAULTS.withText(FLAG, "yes").get(FLAG));
    }

    @Test
    void keepTheirOwnWhereOthersSetNothing() {
        Settings own = Settings.DEFAULTS.with(COUNT, 1).with(FLAG, false);
        Settings merged = own.overriddenBy(Settings.DEFAULTS.with(COUNT, 2).with(TIME, Duration.ZERO));
        assertEquals(2, merged.get(COUNT));
        assertFalse(merged.get(FLAG));
        assertEquals(Duration.ZERO, merged.get(TIME));
        assertEquals(1, own.get(COUNT));
    }

    @Test
    void areDeclaredOnceInTheirOrder() {
        assertEquals(List.of(COUNT, FLAG, TIME), GROUP.settings());
        assertEquals("1000", TIME.xmlDefault());
        assertThrows(IllegalArgumentException.class, () -> GROUP.add("wrong", SettingType.number(1, 2), 3));
    }

    @ParameterizedTest
    @CsvSource({"onRead, ON_READ", "ONREAD, ON_READ", "immediately, IMMEDIATELY", "on_read,", "later,"})
    void readConstantsByTheirWords(String text, Timing expected) {
        assertEquals(expected, SettingType.constant(Timing.class).read(text));
    }

    @ParameterizedTest
    @CsvSource({"-1, -1", "1, 1", "0,", "-2,", "x,"})
    void takeMinusOneForNoLimit(String text, Integer expected) {
        assertEquals(expected, SettingType.numberOrNoLimit(1).read(text));
    }

    @Test
    void takeOnlyEncodingsThatContainAscii() {
        assertEquals(StandardCharsets.ISO_8859_1, SettingType.CHARSET.read("latin1"));
        assertNull(SettingType.CHARSET.read("UTF-16"));
        assertNull(SettingType.CHARSET.read("no such"));
        assertNull(SettingType.CHARSET.read(""));
    }

    @Test
    void splitNamesAtCommas() {
        assertEquals(Set.of("a", "b"), SettingType.NAMES.read(" a, ,b"));
        assertEquals("a,b", SettingType.NAMES.text(Set.of("b", "a")));
    }

    @Test
    void remarkOnWhatTomcatTakesForFalse() {
        assertNull(SettingType.FLAG.remark("TRUE"));
        assertEquals("means false, as in Tomcat; expected true or false", SettingType.FLAG.remark("on"));
    }
}
