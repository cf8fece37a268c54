package io.millrace.jmx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.timer.Timer;
import org.junit.jupiter.api.Test;

/** A domain of MBeans … */
final class JmxDomainTest {

    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private static Set<String> names(String domain) throws Exception {
        return SERVER.queryNames(new ObjectName(domain + ":*"), null).stream()
                .map(ObjectName::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Bean bean(String name) {
        return Bean.of("A bean", "type", "Thing", "name", name);
    }

    @Test
    void makesNothingBeforeItIsShown() throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (JmxDomain domain = new JmxDomain("Lazy")) {
            JmxDomain.Offer first = domain.offer(() -> {
                made.incrementAndGet();
                return List.of(bean("first"));
            });
            JmxDomain.Offer gone = domain.offer(() -> List.of(bean("gone")));
            gone.close();
            assertEquals(0, made.get());
            assertFalse(domain.isShown());
            domain.show();
            domain.show();
            domain.offer(() -> List.of(bean("second")));
            assertEquals(1, made.get());
            assertEquals(Set.of("Lazy:type=Thing,name=first", "Lazy:type=Thing,name=second"), names("Lazy"));
            first.close();
            first.close();
            assertEquals(Set.of("Lazy:type=Thing,name=second"), names("Lazy"));
        }
        assertEquals(Set.of(), names("Lazy"));
    }

    @Test
    void isDistinctFromOthersOfItsName() throws Exception {
        try (JmxDomain one = new JmxDomain("Same");
                JmxDomain other = new JmxDomain("Same")) {
            for (JmxDomain each : List.of(one, other)) {
                each.show();
                each.offer(() -> List.of(bean("x")));
            }
            assertEquals(Set.of("Same:type=Thing,name=x"), names("Same"));
            assertEquals(Set.of("Same-1:type=Thing,name=x"), names("Same-1"));
        }
        try (JmxDomain again = new JmxDomain("Same")) {
            again.show();
            again.offer(() -> List.of(bean("y")));
            assertEquals(Set.of("Same:type=Thing,name=y"), names("Same"));
        }
    }

    @Test
    void quotesWhatItsNamesMayNotHave() throws Exception {
        List<String> odd = List.of("a,b", "a=b", "a:b", "a*b", "a?b", "a\"b", "a\nb", "a\\b,", "ä/ö#", "plain");
        try (JmxDomain domain = new JmxDomain("a:b*c")) {
            domain.show();
            for (String each : odd) {
                domain.offer(() -> List.of(bean(each)));
            }
            domain.offer(() -> List.of(Bean.of("A port", "type", "Port").quoted("name", "http-nio-8080")));
            List<String> read = new ArrayList<>();
            for (ObjectName each : SERVER.queryNames(new ObjectName("a_b_c:type=Thing,*"), null)) {
                String value = each.getKeyProperty("name");
                read.add(value.startsWith("\"") ? ObjectName.unquote(value) : value);
            }
            assertEquals(new TreeSet<>(odd), new TreeSet<>(read));
            assertTrue(names("a_b_c").contains("a_b_c:type=Port,name=\"http-nio-8080\""));
        }
    }

    @Test
    void readsAttributesAndCallsOperations() throws Exception {
        List<String> called = new ArrayList<>();
        try (JmxDomain domain = new JmxDomain("Calls")) {
            domain.show();
            domain.offer(() -> List.of(bean("x")
                    .attribute("number", Integer.class, "a number", () -> 7)
                    .attribute("broken", Integer.class, "a number", () -> {
                        throw new IllegalStateException("on purpose");
                    })
                    .question("knows", "a question", boolean.class, "name", name -> name.equals(List.of("a")))
                    .change("end", "a change", List.of("id"), id -> {
                        if (id.get(0).equals("refused")) {
                            throw new IllegalArgumentException("no such id");
                        }
                        called.add(id.get(0));
                        return null;
                    })));
            ObjectName name = new ObjectName("Calls:type=Thing,name=x");
            String[] text = {String.class.getName()};
            assertEquals(7, SERVER.getAttribute(name, "number"));
            assertEquals(
                    List.of(new Attribute("number", 7)),
                    SERVER.getAttributes(name, new String[] {"none", "number", "broken"}));
            assertThrows(AttributeNotFoundException.class, () -> SERVER.getAttribute(name, "none"));
            assertThrows(AttributeNotFoundException.class, () -> SERVER.setAttribute(name, new Attribute("number", 8)));
            assertEquals(true, SERVER.invoke(name, "knows", new Object[] {"a"}, text));
            SERVER.invoke(name, "end", new Object[] {"id"}, text);
            assertEquals(List.of("id"), called);
            MBeanException refused = assertThrows(
                    MBeanException.class, () -> SERVER.invoke(name, "end", new Object[] {"refused"}, text));
            assertEquals("no such id", refused.getMessage());
            assertThrows(ReflectionException.class, () -> SERVER.invoke(name, "end", new Object[0], new String[0]));
        }
    }

    @Test
    void showsTheOthersIfAPartFails() throws Exception {
        try (JmxDomain domain = new JmxDomain("Partly")) {
            domain.offer(() -> {
                throw new IllegalStateException("planted by the test");
            });
            domain.offer(() -> List.of(bean("x")));
            domain.show();
            domain.offer(() -> {
                throw new AssertionError("planted by the test");
            });
            assertEquals(Set.of("Partly:type=Thing,name=x"), names("Partly"));
        }
        assertEquals(Set.of(), names("Partly"));
    }

    /** An application may have registered the same name: that is its bean, and the others are there. */
    @Test
    void leavesOutWhatSomebodyElseHasRegistered() throws Exception {
        ObjectName taken = new ObjectName("Taken:type=Thing,name=x");
        SERVER.registerMBean(new Timer(), taken);
        try (JmxDomain domain = new JmxDomain("Taken")) {
            domain.show();
            domain.offer(() -> List.of(bean("x"), bean("y")));
            assertEquals(Set.of("Taken:type=Thing,name=x", "Taken:type=Thing,name=y"), names("Taken"));
        } finally {
            assertTrue(SERVER.isRegistered(taken));
            SERVER.unregisterMBean(taken);
        }
    }
}
