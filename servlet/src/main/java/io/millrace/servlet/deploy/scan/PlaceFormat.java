package io.millrace.servlet.deploy.scan;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jboss.jandex.Index;
import org.jboss.jandex.IndexReader;
import org.jboss.jandex.IndexWriter;
import org.jboss.jandex.Indexer;

/**
 * The binary format of a scan result: the length of the Jandex index (4 bytes), 0 for most JARs, and the index; the number of
 * headers (4); for each header its name, the number of its parents (2) and their names.
 */
final class PlaceFormat {

    private PlaceFormat() {}

    static byte[] bytes(ScannedPlace place) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        byte[] index = indexBytes(place.index());
        out.writeInt(index.length);
        out.write(index);
        out.writeInt(place.headers().size());
        for (ClassHeader header : place.headers()) {
            out.writeUTF(header.name());
            out.writeShort(header.parents().size());
            for (String parent : header.parents()) {
                out.writeUTF(parent);
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] indexBytes(Index index) throws IOException {
        if (index.getKnownClasses().isEmpty()) {
            return new byte[0];
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new IndexWriter(bytes).write(index);
        return bytes.toByteArray();
    }

    /** @throws IOException if the bytes are invalid, or of another Jandex version */
    static ScannedPlace place(byte[] bytes) throws IOException {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            return new ScannedPlace(index(in.readNBytes(in.readInt())), headers(in));
        } catch (RuntimeException e) {
            throw new IOException("not a scan result", e);
        }
    }

    private static Index index(byte[] bytes) throws IOException {
        return bytes.length == 0 ? new Indexer().complete() : new IndexReader(new ByteArrayInputStream(bytes)).read();
    }

    private static List<ClassHeader> headers(DataInputStream in) throws IOException {
        List<ClassHeader> headers = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            String name = in.readUTF();
            List<String> parents = new ArrayList<>(4);
            for (int more = in.readUnsignedShort(); more > 0; more--) {
                parents.add(in.readUTF());
            }
            headers.add(new ClassHeader(name, parents));
        }
        return headers;
    }
}
