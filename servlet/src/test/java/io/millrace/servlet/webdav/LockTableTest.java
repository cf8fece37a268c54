package io.millrace.servlet.webdav;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table of locks … */
class LockTableTest {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final LockTable table = new LockTable(clock::get);

    private @Nullable DavLock grant(String path, boolean deep, boolean exclusive) throws DavFault {
        return table.grant(new LockTable.LockRequest(path, deep, exclusive, "", null, 10), new ArrayList<>());
    }

    private DavLock granted(String path, boolean deep, boolean exclusive) throws DavFault {
        return Objects.requireNonNull(grant(path, deep, exclusive));
    }

    private void pass(long seconds) {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    /** The first lock lies on /a/b; D: deep, 0: not; X: exclusive, S: shared. */
    @ParameterizedTest
    @CsvSource({
        "DX, /a/b, 0S, false",
        "DX, /a/b/c, 0S, false",
        "DX, /a/b/c/d, 0X, false",
        "0X, /a/b/c, 0X, true",
        "0X, /a, DX, false",
        "0X, /a, DS, false",
        "0X, /a, 0X, true",
        "0X, '', DX, false",
        "DX, /a/bc, DX, true",
        "DX, /a/b-, DX, true",
        "DX, /a/b0, DX, true",
        "DS, /a/b/c, 0S, true",
        "DS, /a/b/c, 0X, false",
        "0S, /a, DS, true",
        "0S, /a, DX, false"
    })
    void letsThoseBesideEachOtherThatMayBe(String first, String path, String second, boolean together)
            throws Exception {
        granted("/a/b", first.startsWith("D"), first.endsWith("X"));
        DavLock other = grant(path, second.startsWith("D"), second.endsWith("X"));
        assertEquals(together, other != null);
    }

    @Test
    void saysWhichAreInTheWay() throws Exception {
        DavLock one = granted("/a/b", false, true);
        DavLock other = granted("/a/c", false, false);
        List<DavLock> conflicts = new ArrayList<>();
        assertNull(table.grant(new LockTable.LockRequest("/a", true, true, "", null, 10), conflicts));
        assertEquals(List.of(one, other), conflicts);
    }

    @Test
    void forgetsThoseWhoseTimeIsOver() throws Exception {
        granted("/a", true, true);
        pass(9);
        assertNull(grant("/a", true, true));
        pass(1);
        assertEquals(List.of(), table.covering("/a/b"));
        assertEquals(List.of(), table.below(""));
        granted("/a", true, true);
    }

    @Test
    void beginsTheTimeOfARefreshedOneAnew() throws Exception {
        DavLock lock = granted("/a", true, true);
        pass(9);
        DavLock again = Objects.requireNonNull(table.refresh(lock, 20));
        assertEquals(lock.token(), again.token());
        pass(19);
        assertEquals(List.of(again), table.covering("/a"));
        assertEquals(1, table.secondsLeft(again));
        table.remove(again);
        assertNull(table.refresh(again, 20));
    }

    @Test
    void forgetsThoseOfAResourceThatIsNoMore() throws Exception {
        granted("/a/b", false, true);
        granted("/a/b/c/d", false, true);
        DavLock stays = granted("/a/b/e", false, true);
        DavLock beside = granted("/a/b2", false, true);
        table.forget("/a/b", path -> !path.equals("/a/b/e"));
        assertEquals(List.of(stays, beside), table.below(""));
    }

    @Test
    void givesEachATokenOfItsOwn() throws Exception {
        assertNotEquals(
                granted("/a", false, false).token(), granted("/a", false, false).token());
    }

    /** And makes room when their time is over. */
    @Test
    void isBounded() throws Exception {
        for (int i = 0; i < LockTable.MAX_LOCKS; i++) {
            granted("/" + i, false, true);
        }
        assertEquals(
                507,
                assertThrows(DavFault.class, () -> grant("/more", false, true)).status());
        pass(10);
        granted("/more", false, true);
        assertEquals(1, table.below("").size());
    }
}
