package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks for one file after the other on one connection, and reads heads and bodies. */
final class FileClient implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");
    /** The largest piece of a body. */
    static final int BLOCK = 256 * 1024;

    private final RawClient connection;
    private final InputStream input;

    FileClient(int port) throws IOException {
        connection = RawClient.connect(port);
        connection.socket().setSoTimeout((int) Deadline.DEFAULT.toMillis());
        input = new BufferedInputStream(connection.socket().getInputStream());
    }

    /** Sends a request for a target exactly as it is written, and reads the head of the answer. */
    Head ask(String method, String target, String... fields) throws IOException {
        StringBuilder request =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: localhost\r\n");
        for (int i = 0; i < fields.length; i += 2) {
            request.append(fields[i]).append(": ").append(fields[i + 1]).append("\r\n");
        }
        connection.send(request.append("\r\n").toString());
        return head();
    }

    private Head head() throws IOException {
        byte[] text = new byte[4096];
        for (int at = 0; at < text.length; at++) {
            int next = input.read();
            if (next < 0) {
                throw new EOFException("ended within a head");
            }
            text[at] = (byte) next;
            if (next == '\n' && at > 2 && text[at - 2] == '\n') {
                return new Head(new String(text, 0, at + 1, StandardCharsets.ISO_8859_1));
            }
        }
        throw new AssertionError("a head of more than " + text.length + " bytes");
    }

    Head get(String target, String... fields) throws IOException {
        return ask("GET", target, fields);
    }

    /** The body of a small answer. */
    byte[] body(Head head) throws IOException {
        return input.readNBytes((int) head.length());
    }

    /** Reads the body in pieces; how many bytes came before the end or the end of the connection, which may be a reset. */
    long read(long length, Reader reader) throws IOException {
        byte[] block = new byte[BLOCK];
        long at = 0;
        while (at < length) {
            int count = readSome(block, (int) Math.min(block.length, length - at));
            if (count < 0) {
                break;
            }
            reader.take(at, Arrays.copyOf(block, count));
            at += count;
        }
        return at;
    }

    private int readSome(byte[] block, int most) throws IOException {
        try {
            return input.read(block, 0, most);
        } catch (SocketException reset) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** Takes a piece of a body. */
    interface Reader {
        void take(long at, byte[] bytes);
    }

    /** The status line and the fields of an answer. */
    record Head(String text) {

        int status() {
            return Integer.parseInt(text.substring(9, 12));
        }

        /** As it is announced. */
        long length() {
            Matcher found = LENGTH.matcher(text);
            if (!found.find()) {
                throw new AssertionError("no Content-Length in " + text);
            }
            return Long.parseLong(found.group(1));
        }

        boolean says(String field) {
            return text.contains("\r\n" + field + "\r\n");
        }
    }
}
