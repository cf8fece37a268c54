package io.millrace.standalone;

import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The lines that a {@link Product} has printed on stdout and stderr, in the order in which they ended. Thread-safe. */
final class ProductLines {

    private final List<String> lines = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    void add(String line) {
        synchronized (lines) {
            lines.add(line);
        }
    }

    List<String> all() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    boolean has(String text) {
        return all().stream().anyMatch(line -> line.contains(text));
    }

    /** There will be no more lines. */
    void end() {
        ended.countDown();
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Splits one stream into lines. Thread-safe. */
    Writer writer() {
        return new Splitter();
    }

    private final class Splitter extends Writer {

        private final StringBuilder begun = new StringBuilder();

        @Override
        public void write(char[] text, int offset, int length) {
            synchronized (begun) {
                for (int i = offset; i < offset + length; i++) {
                    if (text[i] != '\n') {
                        begun.append(text[i]);
                    } else {
                        finish();
                    }
                }
            }
        }

        private void finish() {
            add(begun.toString());
            begun.setLength(0);
        }

        @Override
        public void flush() {}

        /** Called at the end of what wrote to it. */
        @Override
        public void close() {
            synchronized (begun) {
                if (begun.length() > 0) {
                    finish();
                }
            }
        }
    }
}
