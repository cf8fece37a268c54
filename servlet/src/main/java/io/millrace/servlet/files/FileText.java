package io.millrace.servlet.files;

import io.millrace.files.ServedFile;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Reads files as characters. */
final class FileText {

    private FileText() {}

    /**
     * Opens a file.
     *
     * @param encoding the default encoding
     * @param bom true if a byte order mark overrides the encoding
     */
    static Reader open(ServedFile file, Charset encoding, boolean bom) throws IOException {
        PushbackInputStream in = new PushbackInputStream(file.open(), 3);
        try {
            return new InputStreamReader(in, bom ? marked(in, encoding) : encoding);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static Charset marked(PushbackInputStream in, Charset otherwise) throws IOException {
        byte[] start = in.readNBytes(3);
        int first = start.length < 2 ? 0 : (start[0] & 0xff) << 8 | start[1] & 0xff;
        Charset encoding = otherwise;
        int mark = 0;
        if (first == 0xfeff || first == 0xfffe) {
            encoding = first == 0xfeff ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
            mark = 2;
        } else if (first == 0xefbb && start.length == 3 && (start[2] & 0xff) == 0xbf) {
            encoding = StandardCharsets.UTF_8;
            mark = 3;
        }
        in.unread(start, mark, start.length - mark);
        return encoding;
    }
}
