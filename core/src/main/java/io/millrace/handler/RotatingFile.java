package io.millrace.handler;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;

/** A log file that is rotated when its date changes. Appends to an existing file. */
final class RotatingFile implements AccessOutput {

    private static final long SECOND = 1000;

    private final LogFiles files;
    /** Written at the start of an empty file. */
    private final byte[] header;

    private String date;
    private OutputStream out;
    private long checked;

    RotatingFile(LogFiles files) throws IOException {
        this(files, new byte[0]);
    }

    RotatingFile(LogFiles files, byte[] header) throws IOException {
        this.files = files;
        this.header = header;
        Files.createDirectories(files.directory());
        checked = System.currentTimeMillis();
        date = files.date(checked);
        files.restore(date);
        files.deleteOld(checked);
        out = open(date);
    }

    private OutputStream open(String today) throws IOException {
        OutputStream opened = files.open(today);
        try {
            if (header.length > 0 && Files.size(files.current(today)) == 0) {
                opened.write(header);
            }
            return opened;
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    @Override
    public void write(byte[] bytes, int length, long now) throws IOException {
        if (now - checked >= SECOND) {
            checked = now;
            rotate(files.date(now));
        }
        out.write(bytes, 0, length);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void rotate(String today) throws IOException {
        if (!today.equals(date)) {
            files.archive(date);
            begin(today);
            files.deleteOld(checked);
        } else if (files.checksExistence() && Files.notExists(files.current(date))) {
            begin(today);
        }
    }

    private void begin(String today) throws IOException {
        OutputStream next = open(today);
        out.close();
        out = next;
        date = today;
    }
}
