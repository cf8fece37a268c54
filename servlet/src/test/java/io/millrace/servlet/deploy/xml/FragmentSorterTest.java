package io.millrace.servlet.deploy.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.model.DeploymentException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FragmentSorterTest {

    /** "A>B" puts A before B, "A<B" after it, "A>*" before the others; "A" alone asks for nothing; "-" has no name. */
    private static List<Descriptor> fragments(String specification) {
        List<Descriptor> fragments = new ArrayList<>();
        int number = 0;
        for (String word : specification.split(" ", -1)) {
            Descriptor fragment = new Descriptor("WEB-INF/lib/" + number++ + ".jar");
            fragment.name = word.startsWith("-") ? null : word.substring(0, 1);
            for (int i = 1; i + 1 < word.length(); i += 2) {
                String other = word.charAt(i + 1) == '*' ? FragmentOrder.OTHERS : word.substring(i + 1, i + 2);
                (word.charAt(i) == '>' ? fragment.order.before : fragment.order.after).add(other);
            }
            fragments.add(fragment);
        }
        return fragments;
    }

    private static String names(Collection<Descriptor> fragments) {
        return fragments.stream()
                .map(fragment -> fragment.name == null ? "-" : fragment.name)
                .collect(Collectors.joining());
    }

    /** The last three are the examples of the specification. */
    @ParameterizedTest
    @CsvSource({
        "A B C, ABC",
        "A<B B C, BAC",
        "A B C>A, BCA",
        "A<B B<C C, CBA",
        "A<X B, AB",
        "A B>* C, BAC",
        "A<* B C, BCA",
        "A - B>*, BA-",
        "A B>* C>*>B, CBA",
        "A B<* C<B, ABC",
        "A>B B>* C, ABC",
        "A B<* C<*<B, ABC",
        "A<*<C B>* C<* D E F>*>B, FBDECA",
        "-<*>C B>* C D<* E>* F, BEFC-D",
        "A<B B C>* D E, CBADE"
    })
    void keepsTheFragmentsWishes(String fragments, String expected) throws DeploymentException {
        List<Descriptor> sorted = FragmentSorter.relative(fragments(fragments));
        assertEquals(expected.length(), sorted.size());
        assertWishesKept(sorted);
        if (!fragments.startsWith("-")) {
            assertEquals(expected, names(sorted));
        }
    }

    private static void assertWishesKept(List<Descriptor> sorted) {
        String order = names(sorted);
        for (Descriptor fragment : sorted) {
            String name = fragment.name == null ? "-" : fragment.name;
            for (String before : fragment.order.before) {
                boolean known = order.contains(before);
                assertTrue(
                        !known || order.indexOf(name) < order.indexOf(before),
                        order + ": " + name + " before " + before);
            }
            for (String after : fragment.order.after) {
                boolean known = order.contains(after);
                assertTrue(
                        !known || order.indexOf(name) > order.indexOf(after), order + ": " + name + " after " + after);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"A<B B<A", "A<B B<C C<A", "A>*<B B<*", "A<A"})
    void refusesWishesThatContradictEachOther(String fragments) {
        DeploymentException refusal =
                assertThrows(DeploymentException.class, () -> FragmentSorter.relative(fragments(fragments)));
        assertTrue(refusal.getMessage().contains("\"A\""), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("<absolute-ordering>"), refusal.getMessage());
    }

    @Test
    void refusesTwoFragmentsOfOneName() {
        DeploymentException refusal =
                assertThrows(DeploymentException.class, () -> FragmentSorter.relative(fragments("A A")));
        assertTrue(refusal.getMessage().contains("WEB-INF/lib/0.jar and WEB-INF/lib/1.jar"), refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "A B C, C A, CA",
        "A B C, C *, CAB",
        "A - C, C * A, C-A",
        "A B, X B, B",
        "A B - C, B * C B, BA-C",
        "A B, '', ''"
    })
    void followsAnAbsoluteOrder(String fragments, String order, String expected) {
        List<String> names = order.isEmpty()
                ? List.of()
                : Arrays.stream(order.split(" ", -1))
                        .map(name -> name.equals("*") ? FragmentOrder.OTHERS : name)
                        .toList();
        assertEquals(expected, names(FragmentSorter.absolute(fragments(fragments), names)));
    }
}
