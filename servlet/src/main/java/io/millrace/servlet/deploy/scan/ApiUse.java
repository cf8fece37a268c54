package io.millrace.servlet.deploy.scan;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.BitSet;

/**
 * The Servlet APIs that a class file refers to, by its constant pool (JVMS 4.4). Names in string constants are ignored: libraries
 * that support both APIs have them.
 */
record ApiUse(boolean javax, boolean jakarta) {

    private static final ApiUse NONE = new ApiUse(false, false);

    private static final BytePattern SERVLET = new BytePattern("/servlet/");

    static ApiUse of(byte[] classFile) {
        if (!SERVLET.isIn(classFile)) {
            return NONE;
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile))) {
            in.skipNBytes(8);
            return read(in);
        } catch (IOException e) {
            // A truncated or invalid class file, which loading reports.
            return NONE;
        }
    }

    private static ApiUse read(DataInputStream in) throws IOException {
        BitSet javax = new BitSet();
        BitSet jakarta = new BitSet();
        BitSet strings = new BitSet();
        BitSet classes = new BitSet();
        int count = in.readUnsignedShort();
        for (int index = 1; index < count; index++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> {
                    String text = in.readUTF();
                    javax.set(index, refersTo(text, "javax/servlet/"));
                    jakarta.set(index, refersTo(text, "jakarta/servlet/"));
                }
                case 7 -> classes.set(in.readUnsignedShort());
                case 8 -> strings.set(in.readUnsignedShort());
                case 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    // A long or double takes two entries of the pool.
                    index++;
                }
                default -> throw new IOException("constant pool tag " + tag);
            }
        }
        strings.andNot(classes);
        javax.andNot(strings);
        jakarta.andNot(strings);
        return new ApiUse(!javax.isEmpty(), !jakarta.isEmpty());
    }

    /** True for a class name, and for a descriptor or signature with one. */
    private static boolean refersTo(String text, String prefix) {
        return text.startsWith(prefix) || text.contains('L' + prefix);
    }
}
