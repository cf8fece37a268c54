package io.millrace.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.servlet.identity.Identity;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes out of a stored session … */
final class SessionCodecTest {

    private static final ClassLoader OWN = SessionCodecTest.class.getClassLoader();

    private static SessionCodec codec(ClassLoader application) {
        return new SessionCodec("/app", application, new SessionClasses(application, null, null));
    }

    private static byte[] frozen(Object value) {
        byte[] bytes = codec(OWN).freeze("a", value);
        assertNotNull(bytes);
        return bytes;
    }

    static Stream<Object> values() throws Exception {
        return Stream.of(
                "text",
                1,
                'c',
                new BigDecimal("1.5"),
                new int[][] {{1}, {2}},
                new String[] {"a"},
                new GregorianCalendar(2020, 1, 1),
                ZonedDateTime.parse("2020-01-01T00:00:00Z"),
                UUID.fromString("00000000-0000-0000-0000-000000000001"),
                Locale.CANADA,
                List.of(1, 2),
                Map.of("a", 1),
                Set.of(1),
                new ArrayList<>(List.of("a")),
                new LinkedHashMap<>(Map.of("a", new HashMap<>())),
                new TreeMap<>(Map.of("a", 1)),
                new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
                new ConcurrentHashMap<>(Map.of("a", 1)),
                new CopyOnWriteArrayList<>(List.of(1)),
                new AtomicInteger(1),
                new Cookie("a", "b"),
                URI.create("http://a/"),
                InetAddress.getLoopbackAddress(),
                Pattern.compile("a"),
                new IllegalStateException("kept"),
                new Own(new Own(null)),
                (Function<String, String> & Serializable) text -> text + "!");
    }

    /** A class of the application. */
    record Own(@Nullable Own inner) implements Serializable {}

    @ParameterizedTest
    @MethodSource("values")
    void isAValueOfJavaOrOfTheApplication(Object value) throws Exception {
        assertInstanceOf(Object.class, codec(OWN).thaw(frozen(value)));
    }

    @Test
    void isOfTheApplicationsOwnLoader() throws Exception {
        URL classes =
                SessionCodecTest.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader application = new OwnFirst(new URL[] {classes})) {
            Object thawed = codec(application).thaw(frozen(new Own(null)));
            assertEquals(application, thawed.getClass().getClassLoader());
        }
    }

    /** As a web application's loader: its own copy of a class first. */
    private static final class OwnFirst extends URLClassLoader {

        OwnFirst(URL[] urls) {
            super(urls, OWN);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Own.class.getName()) && findLoadedClass(name) == null
                    ? findClass(name)
                    : super.loadClass(name, resolve);
        }
    }

    @Test
    void isNothingOfTheServersOwnClasses() throws Exception {
        try (URLClassLoader application = new URLClassLoader(new URL[0], OWN)) {
            byte[] bytes = frozen(new Own(null));
            assertThrows(InvalidClassException.class, () -> codec(application).thaw(bytes));
        }
    }

    @Test
    void mayBeWhoLoggedIn() throws Exception {
        try (URLClassLoader application = new URLClassLoader(new URL[0], OWN)) {
            SessionLogin login = new SessionLogin(new Identity("eve", Set.of("admin")), "FORM");
            byte[] bytes = codec(OWN).freezeNote("login", login);
            assertNotNull(bytes);
            assertEquals(login, codec(application).thaw(bytes));
        }
    }

    @Test
    void isNoClassOfJavaThatDoesThings() throws Exception {
        for (Object doer : List.of(new URL("http://attacker.example/"), new CodeSource(null, (Certificate[]) null))) {
            byte[] bytes = frozen(doer);
            assertThrows(
                    InvalidClassException.class,
                    () -> codec(OWN).thaw(bytes),
                    doer.getClass().getName());
        }
    }

    @Test
    void isNotNestedWithoutEnd() {
        @Nullable Own nested = null;
        for (int i = 0; i < 600; i++) {
            nested = new Own(nested);
        }
        byte[] bytes = frozen(new Own(nested));
        assertThrows(InvalidClassException.class, () -> codec(OWN).thaw(bytes));
    }

    @Test
    void isNotOfMoreThanItsBytes() {
        assertNull(codec(OWN).freeze("a", new byte[17 * 1024 * 1024]));
        assertNotNull(codec(OWN).freeze("a", new byte[15 * 1024 * 1024]));
    }

    @Test
    void isNothingThatCantBeSerialized() {
        assertNull(codec(OWN).freeze("a", new Object()));
        assertNull(codec(OWN).freeze("a", List.of(Optional.of(1))));
    }
}
