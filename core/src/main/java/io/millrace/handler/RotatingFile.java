package io.millrace.handler;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;

/**
 * A log file that is rotated when its date changes or when it is full. Appends to an existing file. After a failed write it
 * contains whole lines only. An interrupt of the writing thread has no effect on it. Not thread-safe.
 */
public final class RotatingFile implements AccessWriter.Output {

    private static final long SECOND = 1000;

    private final LogFiles files;
    /** Written at the start of an empty file. */
    private final byte[] header;

    private String date;
    private FileOutputStream out;
    private long checked;
    private long size;

    /**
     * Opens the file, and creates its directory.
     *
     * @throws IOException if it cannot be opened
     */
    public RotatingFile(LogFiles files) throws IOException {
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

    private FileOutputStream open(String today) throws IOException {
        FileOutputStream opened = new FileOutputStream(file(today), true);
        try {
            size = file(today).length();
            if (header.length > 0 && size == 0) {
                opened.write(header);
                size = header.length;
            }
            return opened;
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private File file(String today) {
        return files.current(today).toFile();
    }

    /**
     * Appends whole lines.
     *
     * @param now the current time, which determines the file
     * @throws IOException if they were not written, as when the disk is full
     */
    @Override
    public void write(byte[] bytes, int length, long now) throws IOException {
        if (now - checked >= SECOND) {
            checked = now;
            rotate(files.date(now));
        }
        if (files.limit() > 0 && size > header.length && size + length > files.limit()) {
            setAside();
        }
        try {
            out.write(bytes, 0, length);
            size += length;
        } catch (IOException e) {
            takeBack();
            throw e;
        }
    }

    /** Removes the part of a line that was written before the disk was full. Its own descriptor: an interrupt must not close ours. */
    private void takeBack() {
        try (RandomAccessFile written = new RandomAccessFile(file(date), "rw")) {
            if (written.length() > size) {
                written.setLength(size);
            }
        } catch (IOException e) {
            // it is a device, or gone
        }
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
        } else if (files.limit() > 0) {
            size = file(date).length(); // another program may have truncated it
        }
    }

    /** If the full file cannot be renamed, it goes on: a long log is better than none. */
    private void setAside() throws IOException {
        try {
            files.setAside(date);
        } catch (IOException e) {
            size = header.length; // tried again when as much has been added
            return;
        }
        begin(date);
        files.deleteOld(checked);
    }

    private void begin(String today) throws IOException {
        FileOutputStream next = open(today);
        out.close();
        out = next;
        date = today;
    }
}
