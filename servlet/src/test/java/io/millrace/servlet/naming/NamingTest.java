package io.millrace.servlet.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.NamingEntryModel.Kind;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The names of an application … */
@SuppressWarnings("BanJNDI") // what is tested
final class NamingTest {

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final ClassLoader application = new URLClassLoader(new URL[0], before);
    private final List<NamingEntryModel> entries = new ArrayList<>();

    @BeforeEach
    void beTheApplication() {
        Thread.currentThread().setContextClassLoader(application);
    }

    @AfterEach
    void beNobodyAgain() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private void entry(String name, String type, String value) {
        entries.add(new NamingEntryModel(Kind.ENV_ENTRY, name, type, value, null, List.of()));
    }

    private void reference(String name, @Nullable String lookup) {
        entries.add(new NamingEntryModel(Kind.RESOURCE, name, null, null, lookup, List.of()));
    }

    private Naming open(Map<String, ResourceSource> resources) {
        return Naming.open(application, entries, resources);
    }

    @Test
    void areFoundByJndi() throws NamingException {
        entry("limit", "java.lang.Integer", " 7 ");
        entry("a/b/text", "java.lang.String", "x");
        reference("alias", "java:comp/env/limit");
        try (Naming naming = open(Map.of())) {
            Context initial = new InitialContext();
            assertEquals(7, initial.lookup("java:comp/env/limit"));
            assertEquals(7, initial.lookup("java:comp/env/alias"));
            Context environment = (Context) initial.lookup("java:comp/env");
            assertEquals("x", environment.lookup("a/b/text"));
            assertEquals("x", ((Context) environment.lookup("a")).lookup("b/text"));
            assertEquals("java:comp/env/a", ((Context) environment.lookup("a")).getNameInNamespace());
            List<NameClassPair> listed = Collections.list(environment.list(""));
            assertEquals(
                    List.of("a", "alias", "limit"),
                    listed.stream().map(NameClassPair::getName).toList());
            assertEquals("comp", initial.list("java:").next().getName());
            assertSame(naming, Naming.current());
        }
    }

    @Test
    void haveTheTypesOfEnvEntries() throws Exception {
        assertEquals("7", EnvValue.of(null, "7", application));
        assertEquals(true, EnvValue.of("java.lang.Boolean", "TRUE", application));
        assertEquals(7L, EnvValue.of("long", "7", application));
        assertEquals(1.5, EnvValue.of("java.lang.Double", "1.5", application));
        assertEquals('c', EnvValue.of("java.lang.Character", "c", application));
        assertEquals(String.class, EnvValue.of("java.lang.Class", "java.lang.String", application));
        assertEquals(TimeUnit.DAYS, EnvValue.of("java.util.concurrent.TimeUnit", "DAYS", application));
        assertThrows(IllegalArgumentException.class, () -> EnvValue.of("java.lang.Integer", "x", application));
        assertThrows(IllegalArgumentException.class, () -> EnvValue.of("java.util.Date", "x", application));
    }

    @Test
    void areMadeOnceWhenFirstAskedFor() throws Exception {
        AtomicInteger made = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        Naming naming = open(Map.of("pool", loader -> {
            assertSame(application, loader);
            made.incrementAndGet();
            return (AutoCloseable) closed::incrementAndGet;
        }));
        assertEquals(0, made.get());
        Object first = new InitialContext().lookup("java:comp/env/pool");
        assertSame(first, new InitialContext().lookup("java:/comp/env/pool"));
        assertEquals(1, made.get());
        naming.close();
        assertEquals(1, closed.get());
        assertThrows(NamingException.class, () -> new InitialContext().lookup("java:comp/env/pool"));
    }

    @Test
    void sayWhatIsThereIfTheyAreNot() {
        entry("limit", "java.lang.Integer", "7");
        reference("nowhere", null);
        try (Naming naming = open(Map.of("broken", loader -> {
            throw new IllegalStateException("on purpose");
        }))) {
            NamingException unknown = assertThrows(NameNotFoundException.class, () -> naming.lookup("java:comp/env/x"));
            assertTrue(unknown.toString().contains("comp/env/limit"), unknown.toString());
            assertThrows(NameNotFoundException.class, () -> naming.lookup("java:comp/env/nowhere"));
            NamingException broken = assertThrows(NamingException.class, () -> naming.lookup("comp/env/broken"));
            assertTrue(broken.toString().contains("on purpose"), broken.toString());
        }
    }

    @Test
    void canNotBeChanged() throws NamingException {
        try (Naming naming = open(Map.of())) {
            Context environment = (Context) naming.lookup("java:comp/env");
            assertThrows(OperationNotSupportedException.class, () -> environment.bind("a", "b"));
            assertThrows(OperationNotSupportedException.class, () -> environment.unbind("a"));
        }
    }

    @Test
    void areForThreadsOfAnApplicationAlone() {
        Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
        assertThrows(NamingException.class, Naming::current);
    }
}
