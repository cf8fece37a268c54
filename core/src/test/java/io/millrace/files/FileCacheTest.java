package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file cache … */
final class FileCacheTest {

    private static final FileRules RULES = new FileRules(name -> null, List.of(), true, true);
    private static final CacheLimits LIMITS = CacheLimits.DEFAULTS.withBytes(1 << 20, 600 << 10);

    @TempDir
    Path root = Path.of("");

    private FileTree tree;

    @BeforeEach
    void open() throws IOException {
        tree = new FileTree(root, SymbolicLinks.INSIDE);
    }

    private CachedFile seen(String name) throws IOException {
        ServedFile file = tree.find("/" + name);
        assertNotNull(file);
        return new CachedFile(name, List.of(RULES.plain(file, false)));
    }

    private void write(String name, int size) throws IOException {
        Files.writeString(root.resolve(name), name.substring(0, 1).repeat(size));
    }

    private static Content open(FileCache cache, CachedFile file) throws IOException {
        Content content = cache.open(file, file.forms().get(0), false);
        assertNotNull(content);
        return content;
    }

    private static boolean isHeld(CachedFile file) {
        return file.forms().get(0).hasContent();
    }

    private static String text(Content content, long length) {
        StringBuilder text = new StringBuilder();
        for (ByteBuffer buffer : ((Payload.Bytes) content.payload(new ByteRange(0, length))).buffers()) {
            text.append(StandardCharsets.US_ASCII.decode(buffer.duplicate()));
        }
        return text.toString();
    }

    @Test
    void admitsWhatIsAskedForFiveTimes() throws IOException {
        write("a", 3000);
        FileCache cache = new FileCache(LIMITS);
        CachedFile file = cache.put(seen("a"));
        for (int i = 0; i < 4; i++) {
            open(cache, file).release();
            assertFalse(isHeld(file));
        }
        open(cache, file).release();
        assertTrue(isHeld(file));
        assertEquals(3 * 1024, cache.memoryUsed());
    }

    @Test
    void keepsOpenWhatTheKernelIsToSendUnlessItIsSmall() throws IOException {
        write("small", 64 << 10);
        write("other", (64 << 10) + 1);
        FileCache cache = new FileCache(LIMITS.withAdmission(1));
        assertInstanceOf(MemoryContent.class, openForKernel(cache, cache.put(seen("small"))));
        assertEquals(64 << 10, cache.memoryUsed());
        CachedFile other = cache.put(seen("other"));
        assertInstanceOf(OpenFile.class, openForKernel(cache, other));
        assertInstanceOf(OpenFile.class, open(cache, other), "it is kept once");
        assertEquals(64 << 10, cache.memoryUsed());
        FileCache closed = new FileCache(LIMITS.withAdmission(1).withFiles(0, 10));
        assertInstanceOf(MemoryContent.class, openForKernel(closed, closed.put(seen("other"))));
    }

    private static Content openForKernel(FileCache cache, CachedFile file) throws IOException {
        Content content = cache.open(file, file.forms().get(0), true);
        assertNotNull(content);
        content.release();
        return content;
    }

    @Test
    void keepsWhatItKnowsIfNothingHasChanged() throws IOException {
        write("a", 3000);
        FileCache cache = new FileCache(LIMITS.withAdmission(1));
        CachedFile file = cache.put(seen("a"));
        open(cache, file).release();
        assertEquals(file, cache.put(seen("a")));
        write("a", 3001);
        CachedFile changed = cache.put(seen("a"));
        assertFalse(file.equals(changed));
        assertFalse(isHeld(file));
        assertEquals(0, cache.memoryUsed());
    }

    @Test
    void letsGoOfWhatNobodyAskedForSince() throws IOException {
        write("a", 400 << 10);
        write("b", 400 << 10);
        write("c", 400 << 10);
        FileCache cache = new FileCache(LIMITS.withAdmission(1));
        CachedFile a = cache.put(seen("a"));
        CachedFile b = cache.put(seen("b"));
        open(cache, a).release();
        open(cache, b).release();
        a.clearReferenced();
        b.clearReferenced();
        open(cache, a).release();
        CachedFile c = cache.put(seen("c"));
        open(cache, c).release();
        assertTrue(isHeld(a));
        assertFalse(isHeld(b));
        assertTrue(isHeld(c));
    }

    @Test
    void neverTakesMemoryFromATransfer() throws IOException {
        write("a", 600 << 10);
        write("b", 600 << 10);
        FileCache cache = new FileCache(LIMITS.withAdmission(1));
        CachedFile a = cache.put(seen("a"));
        Content transfer = open(cache, a);
        CachedFile b = cache.put(seen("b"));
        Content other = open(cache, b);
        assertFalse(isHeld(a), "let go of");
        assertTrue(other instanceof OpenFile, "there was no room: it is kept open");
        assertEquals("a".repeat(600 << 10), text(transfer, 600 << 10));
        transfer.release();
        other.release();
        assertEquals(0, cache.memoryUsed());
    }

    @Test
    void knowsNoMoreFilesThanItMay() throws IOException {
        FileCache cache = new FileCache(LIMITS.withFiles(2, 10).withAdmission(1));
        for (int i = 0; i < 100; i++) {
            write("f" + i, 10);
            CachedFile file = cache.put(seen("f" + i));
            open(cache, file).release();
        }
        int known = 0;
        for (int i = 0; i < 100; i++) {
            known += cache.fresh("f" + i) == null ? 0 : 1;
        }
        assertEquals(10, known);
        assertEquals(10 * 1024, cache.memoryUsed());
    }

    @Test
    void keepsFewLargeFilesOpen() throws IOException {
        FileCache cache = new FileCache(LIMITS.withBytes(0, 0).withFiles(2, 10).withAdmission(1));
        for (int i = 0; i < 5; i++) {
            write("f" + i, 100_000);
            open(cache, cache.put(seen("f" + i))).release();
        }
        int open = 0;
        for (int i = 0; i < 5; i++) {
            CachedFile file = cache.fresh("f" + i);
            open += file != null && isHeld(file) ? 1 : 0;
        }
        assertEquals(2, open);
    }

    @Test
    void findsOutThatAFileWasChangedInItsPlace() throws IOException {
        write("a", 100_000);
        FileCache cache = new FileCache(LIMITS.withBytes(0, 0).withAdmission(1));
        CachedFile file = cache.put(seen("a"));
        Content content = open(cache, file);
        content.check();
        write("a", 99_999);
        assertThrows(IOException.class, content::check);
        content.release();
        assertNull(cache.held(file, file.forms().get(0)), "it is not sent again");
        assertNull(cache.fresh("a"), "it must be looked at");
    }

    /** Responses with it would be truncated. */
    @Test
    void sendsNoOpenFileThatWasChangedBefore() throws IOException {
        write("a", 100_000);
        FileCache cache = new FileCache(LIMITS.withBytes(0, 0).withAdmission(1).withFreshness(Duration.ofHours(1)));
        CachedFile file = cache.put(seen("a"));
        open(cache, file).release();
        Content kept = cache.held(file, file.forms().get(0));
        assertNotNull(kept);
        kept.release();
        write("a", 99_999);
        assertNull(cache.held(file, file.forms().get(0)));
        assertNull(cache.fresh("a"), "it must be looked at");
        CachedFile changed = cache.put(seen("a"));
        assertFalse(isHeld(file));
        open(cache, changed).release();
        Content next = cache.held(changed, changed.forms().get(0));
        assertNotNull(next);
        next.check();
        next.release();
    }

    @Test
    void sendsWhatItOpenedIfAnotherFileTakesItsPlace() throws IOException {
        write("a", 100_000);
        FileCache cache = new FileCache(LIMITS.withBytes(0, 0));
        Content content = open(cache, cache.put(seen("a")));
        write("b", 5);
        Files.move(root.resolve("b"), root.resolve("a"), StandardCopyOption.REPLACE_EXISTING);
        content.check();
        Files.delete(root.resolve("a"));
        content.check();
        content.release();
    }

    @Test
    void refusesAFileThatChangedSinceItWasLookedUp() throws IOException {
        write("a", 10);
        write("large", 100_000);
        FileCache cache = new FileCache(LIMITS);
        CachedFile small = cache.put(seen("a"));
        CachedFile large = cache.put(seen("large"));
        write("a", 9);
        write("large", 100_001);
        assertThrows(
                FileChangedException.class,
                () -> cache.open(small, small.forms().get(0), false));
        assertThrows(
                FileChangedException.class,
                () -> cache.open(large, large.forms().get(0), false));
    }

    @Test
    void doesNotCountWhatIsLongAgo() throws IOException {
        write("a", 3000);
        FileCache cache = new FileCache(LIMITS);
        CachedFile file = cache.put(seen("a"));
        for (int i = 0; i < 4; i++) {
            open(cache, file).release();
        }
        assertTrue(file.clearReferenced());
        assertFalse(file.clearReferenced(), "not requested since");
        open(cache, file).release();
        assertFalse(isHeld(file));
    }

    @Test
    void letsGoOfOpenFilesForOpenFilesOnly() throws IOException {
        write("small", 3000);
        FileCache cache = new FileCache(LIMITS.withFiles(1, 10).withAdmission(1).withBytes(1 << 20, 50_000));
        CachedFile small = cache.put(seen("small"));
        open(cache, small).release();
        small.clearReferenced();
        for (int i = 0; i < 3; i++) {
            write("large" + i, 100_000);
            open(cache, cache.put(seen("large" + i))).release();
        }
        assertTrue(isHeld(small));
    }

    @Test
    void readsAFileAgainThatHadJustBeenWrittenWhenItWasRead() throws IOException {
        write("a", 1);
        FileTime now = Files.getLastModifiedTime(root.resolve("a"));
        FileCache cache = new FileCache(LIMITS.withAdmission(1));
        CachedFile young = new CachedFile("a", List.of(weak("a")));
        cache.put(young);
        Content before = open(cache, young);
        assertEquals("a", text(before, 1));
        before.release();
        Files.writeString(root.resolve("a"), "b");
        Files.setLastModifiedTime(root.resolve("a"), now); // as if in the same tick
        assertEquals(young, cache.put(new CachedFile("a", List.of(weak("a")))), "nothing shows yet");
        await("time to pass", () -> Validators.isSettled(young.forms().get(0).file()));
        CachedFile old = cache.put(new CachedFile("a", List.of(weak("a"))));
        Content after = open(cache, old);
        assertEquals("b", text(after, 1));
        after.release();
    }

    private Representation weak(String name) throws IOException {
        ServedFile file = tree.find("/" + name);
        assertNotNull(file);
        return new FileRules(type -> null, List.of(), true, false).plain(file, false);
    }

    @Test
    void looksAtAFileAgainWhenTheSystemTellsOfAChange() throws IOException {
        FileCache cache = new FileCache(
                LIMITS.withAdmission(1).withFreshness(Duration.ofHours(1)).withWatching(true));
        List<String> names = List.of("written", "replaced", "deleted", "compressed", "untouched");
        for (String name : names) {
            write(name, 100);
        }
        for (String name : names) {
            open(cache, cache.put(seen(name))).release();
            assertNotNull(cache.fresh(name));
        }
        write("written", 200);
        awaitStale(cache, "written");
        write("other", 100);
        Files.move(root.resolve("other"), root.resolve("replaced"), StandardCopyOption.REPLACE_EXISTING);
        awaitStale(cache, "replaced");
        Files.delete(root.resolve("deleted"));
        awaitStale(cache, "deleted");
        write("compressed.gz", 10);
        awaitStale(cache, "compressed");
        assertNotNull(cache.fresh("untouched"));
        cache.clear();
    }

    /** A deleted file would hold its disk space as long as it is open. */
    @Test
    void closesAnOpenFileWhenItIsDeletedOrReplaced() throws IOException {
        FileCache cache =
                new FileCache(LIMITS.withBytes(0, 0).withAdmission(1).withWatching(true), Duration.ofHours(1));
        for (String name : List.of("deleted", "replaced")) {
            write(name, 100_000);
            CachedFile file = cache.put(seen(name));
            open(cache, file).release();
            assertTrue(isHeld(file));
            if (name.equals("deleted")) {
                Files.delete(root.resolve(name));
            } else {
                write("other", 100_000);
                Files.move(root.resolve("other"), root.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
            await(name + " to be closed", () -> !isHeld(file));
        }
        cache.clear();
    }

    @Test
    void closesAnOpenFileThatIsNotRequestedAnyMore() throws IOException {
        write("a", 100_000);
        FileCache cache = new FileCache(LIMITS.withBytes(0, 0).withAdmission(1));
        CachedFile file = cache.put(seen("a"));
        Content transfer = open(cache, file);
        long from = System.nanoTime();
        Files.delete(root.resolve("a"));
        await("it to be closed", () -> !isHeld(file));
        assertTrue(System.nanoTime() - from > TimeUnit.SECONDS.toNanos(1), "it is kept for a moment");
        transfer.check();
        transfer.release();
        assertFalse(transfer.retain());
    }

    private static void awaitStale(FileCache cache, String name) {
        await(name + " to be looked at again", () -> cache.fresh(name) == null);
    }

    @Test
    void endsTheThreadThatWatchesWithTheLastWhoWatches() throws IOException {
        write("a", 100);
        FileCache cache = new FileCache(LIMITS.withAdmission(1).withWatching(true));
        open(cache, cache.put(seen("a"))).release();
        assertTrue(isWatching());
        cache.clear();
        await("the thread to end", () -> !isWatching());
    }

    private static void await(String what, BooleanSupplier happened) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!happened.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, what);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isWatching() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("millrace-file-watch"));
    }

    @Test
    void releasesNothingTwice() throws IOException {
        write("a", 10);
        FileCache cache = new FileCache(LIMITS);
        Content content = open(cache, cache.put(seen("a")));
        content.release();
        assertFalse(content.retain());
        assertThrows(IllegalStateException.class, content::release);
    }
}
