package io.millrace.servlet.deploy.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.testkit.Sources;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Index;
import org.jboss.jandex.Indexer;
import org.junit.jupiter.api.Test;

/** What a scan found, as bytes … */
final class PlaceFormatTest {

    private static final List<ClassHeader> HEADERS = List.of(
            new ClassHeader("shop.Cart", List.of("java.lang.Object")),
            new ClassHeader("shop.Wäre", List.of("java.lang.Object", "java.lang.Runnable", "shop.B")),
            new ClassHeader("java.lang.Object", List.of()));

    private static Index annotated() throws IOException {
        Indexer indexer = new Indexer();
        Map<String, byte[]> classes = Sources.compile("package shop; @javax.servlet.annotation.WebServlet(\"/cart\")"
                + " public class Cart extends javax.servlet.http.HttpServlet { @Deprecated int field; }");
        for (byte[] classFile : classes.values()) {
            indexer.index(new ByteArrayInputStream(classFile));
        }
        return indexer.complete();
    }

    private static String annotations(ScannedPlace place) {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("javax.servlet.annotation.WebServlet", "java.lang.Deprecated")) {
            place.index()
                    .getAnnotations(DotName.createSimple(name))
                    .forEach(annotation -> text.append(annotation.toString(false))
                            .append(" on ")
                            .append(annotation.target())
                            .append('\n'));
        }
        return text.toString();
    }

    @Test
    void isTheSameWhenItIsReadAgain() throws IOException {
        ScannedPlace place = new ScannedPlace(annotated(), HEADERS);
        ScannedPlace again = PlaceFormat.place(PlaceFormat.bytes(place));
        assertEquals(HEADERS, again.headers());
        assertEquals(annotations(place), annotations(again));
        assertEquals(2, annotations(again).lines().count());
    }

    @Test
    void takesEightBytesIfItIsNothing() throws IOException {
        byte[] bytes = PlaceFormat.bytes(new ScannedPlace(new Indexer().complete(), List.of()));
        assertEquals(8, bytes.length);
        assertEquals(List.of(), PlaceFormat.place(bytes).headers());
    }

    @Test
    void isRefusedIfItIsShorterThanItWas() throws IOException {
        byte[] bytes = PlaceFormat.bytes(new ScannedPlace(annotated(), HEADERS));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(IOException.class, () -> PlaceFormat.place(cut), () -> "the first " + cut.length);
        }
    }
}
