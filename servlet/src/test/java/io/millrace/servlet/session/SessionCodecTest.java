package io.millrace.servlet.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.servlet.identity.Identity;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Point;
import java.awt.Rectangle;
import java.beans.PropertyChangeSupport;
import java.beans.beancontext.BeanContextSupport;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignedObject;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.text.DateFormatSymbols;
import java.text.DecimalFormat;
import java.text.MessageFormat;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.EventObject;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.NullCipher;
import javax.crypto.SealedObject;
import javax.crypto.spec.SecretKeySpec;
import javax.management.ObjectName;
import javax.naming.NamingException;
import javax.naming.ldap.LdapName;
import javax.security.auth.Subject;
import javax.security.auth.x500.X500Principal;
import javax.servlet.http.Cookie;
import javax.swing.table.DefaultTableModel;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.ietf.jgss.GSSCredential;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes out of a stored session … */
final class SessionCodecTest {

    private static final ClassLoader OWN = SessionCodecTest.class.getClassLoader();

    private static SessionCodec codec(ClassLoader application) {
        return new SessionCodec("/app", application, new SessionClasses(application, SessionSettings.DEFAULT));
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
                URI.create("http://a.example/b").toURL(),
                new QName("urn:a", "b"),
                KeyPairGenerator.getInstance("RSA").generateKeyPair(),
                new SecretKeySpec(new byte[16], "AES"),
                new X500Principal("CN=a"),
                new FileNotFoundException("a"),
                new NoSuchFileException("a"),
                new UnknownHostException("a"),
                new NamingException("a"),
                new LdapName("cn=a"),
                new Point(1, 2),
                new DefaultTableModel(1, 1),
                Level.WARNING,
                DatatypeFactory.newInstance().newDuration(1000),
                DatatypeFactory.newInstance().newXMLGregorianCalendar("2020-01-01"),
                DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument(),
                MethodType.methodType(void.class),
                new int[0].getClass(),
                InetAddress.getLoopbackAddress(),
                Pattern.compile("a"),
                new IllegalStateException("kept"),
                new Own(new Own(null)),
                (Function<String, String> & Serializable) text -> text + "!");
    }

    /** A class of the application. */
    record Own(@Nullable Own inner) implements Serializable {}

    /** A lambda's class is made anew. */
    @ParameterizedTest
    @MethodSource("values")
    void isAValueOfJavaOrOfTheApplication(Object value) throws Exception {
        Class<?> type = value instanceof Function ? Function.class : value.getClass();
        assertInstanceOf(type, codec(OWN).thaw(frozen(value)));
    }

    /** Any type of Java that applications keep for their users. */
    @SuppressWarnings({"IdentityHashMapUsage", "JavaUtilDate", "JdkObsolete", "UnnecessaryStringBuilder"
    }) // applications do
    static Stream<Object> moreValues() throws Exception {
        return Stream.of(
                new BigInteger("1"),
                new StringBuilder("a"),
                new BitSet(3),
                new Date(1),
                new java.sql.Date(1),
                new Timestamp(1),
                new SimpleDateFormat("yyyy", Locale.ROOT),
                new DecimalFormat("0.0"),
                new MessageFormat("{0}", Locale.ROOT),
                new DateFormatSymbols(Locale.ROOT),
                TimeZone.getTimeZone("Europe/Berlin"),
                Currency.getInstance("EUR"),
                Duration.ofSeconds(1),
                Instant.EPOCH,
                LocalDate.EPOCH,
                Period.ofDays(1),
                ZoneId.of("Europe/Berlin"),
                YearMonth.of(2020, 1),
                new File("a"),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                Collections.unmodifiableMap(new HashMap<>(Map.of("a", 1))),
                Collections.synchronizedList(new ArrayList<>(List.of(1))),
                Collections.emptyList(),
                Arrays.asList(1, 2),
                new ArrayDeque<>(List.of(1)),
                new PriorityQueue<>(List.of(1)),
                new LinkedList<>(List.of(1)),
                new Vector<>(List.of(1)),
                new Hashtable<>(Map.of("a", 1)),
                new Properties(),
                new IdentityHashMap<>(Map.of("a", 1)),
                new ConcurrentSkipListMap<>(Map.of("a", 1)),
                new LinkedBlockingQueue<>(List.of(1)),
                EnumSet.of(TimeUnit.DAYS),
                new SimpleImmutableEntry<>("a", 1),
                new AtomicReference<>("a"),
                new AtomicLong(1),
                new LongAdder(),
                new ReentrantLock(),
                new Random(1),
                new Subject(),
                new PropertyResourceException(),
                new SQLException("a"),
                new Color(1, 2, 3),
                new Rectangle(1, 2),
                new Dimension(1, 2),
                new Font("Dialog", Font.PLAIN, 1),
                new EventObject("a"),
                new PropertyChangeSupport("a"),
                new ObjectName("a:b=c"),
                new StackTraceElement("a", "b", "c", 1),
                Optional.class,
                UUID.nameUUIDFromBytes(new byte[0]));
    }

    /** An application's own exception, with what Java keeps of it. */
    private static final class PropertyResourceException extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        PropertyResourceException() {
            super("kept", new IOException("the cause"));
            addSuppressed(new IllegalStateException("and this"));
        }
    }

    @ParameterizedTest
    @MethodSource("moreValues")
    void isAlsoAnyOfThese(Object value) throws Exception {
        assertInstanceOf(value.getClass(), codec(OWN).thaw(frozen(value)));
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
    void isWithoutWhatTheUserDelegated() throws Exception {
        GSSCredential credential = (GSSCredential)
                Proxy.newProxyInstance(OWN, new Class<?>[] {GSSCredential.class}, (proxy, method, arguments) -> null);
        SessionLogin login =
                new SessionLogin(new Identity("eve", Set.of()), "SPNEGO", new DelegatedCredential(credential));
        byte[] bytes = codec(OWN).freezeNote("login", login);
        assertNotNull(bytes);
        SessionLogin thawed = (SessionLogin) codec(OWN).thaw(bytes);
        assertEquals(login.principal(), thawed.principal());
        assertNull(Objects.requireNonNull(thawed.credential()).get());
    }

    @SuppressWarnings("removal") // of java.beans.beancontext: still in the JDKs that applications run on
    static Stream<Object> doers() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
        Constructor<?> templates = Class.forName("com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl")
                .getConstructor();
        return Stream.of(
                new SignedObject("a", keys.getPrivate(), Signature.getInstance("SHA256withECDSA")),
                new SealedObject("a", new NullCipher()),
                new BeanContextSupport(),
                new SecureRandom(), // with the provider it is of
                templates);
    }

    /** Neither is it written, of which the log tells while something can be done, nor read if somebody else has written it. */
    @ParameterizedTest
    @MethodSource("doers")
    void isNoClassOfJavaThatDoesThings(Object doer) throws Exception {
        if (doer instanceof Constructor<?> inner) {
            Class<?> type = inner.getDeclaringClass();
            assertFalse(new SessionClasses(OWN, SessionSettings.DEFAULT).admits(type));
            return;
        }
        assertNull(codec(OWN).freeze("a", doer));
        assertNull(codec(OWN).freeze("a", List.of(new Object[] {doer})));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(doer);
        }
        assertThrows(InvalidClassException.class, () -> codec(OWN).thaw(bytes.toByteArray()));
    }

    @Test
    void isAsDeepAsItWasWritten() throws Exception {
        @Nullable Own nested = null;
        for (int i = 0; i < 600; i++) {
            nested = new Own(nested);
        }
        assertInstanceOf(Own.class, codec(OWN).thaw(frozen(new Own(nested))));
        for (int i = 0; i < 1_000_000; i++) {
            nested = new Own(nested);
        }
        assertNull(codec(OWN).freeze("a", new Own(nested)), "and not deeper than the stack");
    }

    static Stream<Object> plainValues() {
        return Stream.of(
                0,
                -1,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                0L,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                true,
                false,
                "",
                "text",
                " ~\u007f",
                "a\0b",
                "\u0080",
                "ä",
                "\u0161",
                "\ud83d\ude00",
                "x".repeat(65_535),
                "x".repeat(65_536));
    }

    @ParameterizedTest
    @MethodSource("plainValues")
    void isWhatJavaSerializationMakesOfPlainValues(Object value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        assertArrayEquals(bytes.toByteArray(), frozen(value));
        assertEquals(value, codec(OWN).thaw(frozen(value)));
    }

    @Test
    void isNoPlainValueThatWasCutOrDoesNotEnd() {
        for (Object value : List.of(1, 2L, true, "text")) {
            byte[] bytes = frozen(value);
            assertThrows(IOException.class, () -> codec(OWN).thaw(Arrays.copyOf(bytes, bytes.length - 1)));
        }
    }

    @Test
    void isNoPlainValueOfAClassThatTheOperatorDoesNotPermit() {
        SessionSettings integers = SessionSettings.DEFAULT.with(
                SessionSettings.SESSION_ATTRIBUTE_VALUE_CLASS_NAME_FILTER, Pattern.compile("java.lang.(Long|String)"));
        SessionCodec picky = new SessionCodec("/app", OWN, new SessionClasses(OWN, integers));
        assertNull(picky.freeze("a", 1));
        assertThrows(IOException.class, () -> picky.thaw(frozen(1)));
        assertThrows(IOException.class, () -> picky.thaw(frozen(1L)), "it is a Number");
        assertNotNull(picky.freeze("a", "text"));
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
