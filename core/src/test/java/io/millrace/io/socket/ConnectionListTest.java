package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConnectionListTest {

    private static final class Named extends Linked<Named> {
        final String name;

        Named(String name) {
            this.name = name;
        }
    }

    private final ConnectionList<Named> list = new ConnectionList<>();
    private final Named a = new Named("a");
    private final Named b = new Named("b");
    private final Named c = new Named("c");

    @Test
    void hasTheLastFirst() {
        addAll();
        assertEquals(List.of("c", "b", "a"), names());
    }

    @Test
    void forgetsOneWhereverItStands() {
        addAll();
        list.remove(b);
        assertEquals(List.of("c", "a"), names());
        list.remove(c);
        assertEquals(List.of("a"), names());
        list.remove(a);
        assertEquals(List.of(), names());
        list.add(b);
        assertEquals(List.of("b"), names());
    }

    @Test
    void mayLoseAllWhileItIsGoneThrough() {
        addAll();
        list.forEach(list::remove);
        assertEquals(List.of(), names());
    }

    private void addAll() {
        list.add(a);
        list.add(b);
        list.add(c);
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        list.forEach(each -> names.add(each.name));
        return names;
    }
}
