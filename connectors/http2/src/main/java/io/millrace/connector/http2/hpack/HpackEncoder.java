package io.millrace.connector.http2.hpack;

import java.nio.ByteBuffer;

/**
 * Encodes the header blocks of one connection (RFC 7541), which must be sent in the order in which they were encoded. It
 * indexes fields whose values repeat between responses, and allocates no memory before the first. Not thread-safe.
 */
public final class HpackEncoder {

    /**
     * The limit of its table, even if the peer permits more: a site repeats a dozen fields, and each connection has a table. The
     * peer need not know it, because indices count from the newest field.
     */
    private static final int OWN_LIMIT = 1024;

    /** For shorter values, Huffman coding is not worth the time. */
    private static final int MIN_HUFFMAN_LENGTH = 16;

    /** The most octets of a field's representation besides its text: three integers. */
    private static final int MAX_OVERHEAD = 12;

    /** The most octets of table size updates. */
    private static final int MAX_UPDATES_LENGTH = 12;

    private final DynamicTable table = new DynamicTable(OWN_LIMIT);

    /** The table size that the peer's settings permit. */
    private int allowed = HpackDecoder.DEFAULT_TABLE_SIZE;

    /** The smallest size that they have permitted since the last block. */
    private int minAllowed = allowed;

    /** The size of the peer's table: the initial one, or that of the last update sent. */
    private int announced = allowed;

    /** Creates an encoder with an empty dynamic table. */
    public HpackEncoder() {}

    /** The most octets that a block with these fields can have. */
    public static int maxLength(int fields, long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes + (long) MAX_OVERHEAD * fields + MAX_UPDATES_LENGTH);
    }

    /** The peer has sent SETTINGS_HEADER_TABLE_SIZE. */
    public void limit(int size) {
        allowed = size;
        minAllowed = Math.min(minAllowed, size);
        table.maxSize(Math.min(minAllowed, table.maxSize()));
    }

    /** The size of the dynamic table. */
    public int tableSize() {
        return table.size();
    }

    /** Begins a block: writes table size updates, if the limit has changed (4.2). */
    public void begin(ByteBuffer out) {
        if (minAllowed < announced) {
            announce(minAllowed, out);
        }
        int wanted = Math.min(allowed, HpackDecoder.DEFAULT_TABLE_SIZE);
        if (wanted > announced) {
            announce(wanted, out);
        }
        minAllowed = allowed;
    }

    private void announce(int size, ByteBuffer out) {
        integer(0x20, 5, size, out);
        announced = size;
        table.maxSize(Math.min(size, OWN_LIMIT));
    }

    /**
     * Writes a field. The buffer must have room for it: {@link #maxLength}.
     *
     * @param value its characters are octets that are valid in a field value (RFC 9110, 5.5)
     */
    public void field(FieldName name, String value, ByteBuffer out) {
        int known = inStaticTable(name, value);
        if (known == 0 && name.indexing() == FieldName.Indexing.INDEXED) {
            int dynamicIndex = table.find(name.text(), value);
            known = dynamicIndex == 0 ? 0 : dynamicIndex + StaticTable.SIZE;
        }
        if (known != 0) {
            integer(0x80, 7, known, out);
            return;
        }
        switch (name.indexing()) {
            case INDEXED -> addToTable(name, value, out);
            case LITERAL -> literal(0, 4, name, value, out);
            case NEVER -> literal(0x10, 4, name, value, out);
        }
    }

    /** Adds the field to the table, unless it is so large that it would evict most others. */
    private void addToTable(FieldName name, String value, ByteBuffer out) {
        if (2 * DynamicTable.sizeOf(name.text(), value) > table.maxSize()) {
            literal(0, 4, name, value, out);
        } else {
            literal(0x40, 6, name, value, out);
            table.add(name.text(), value);
        }
    }

    private static int inStaticTable(FieldName name, String value) {
        int index = name.staticIndex();
        while (index != 0
                && index <= StaticTable.SIZE
                && StaticTable.name(index).equals(name.text())) {
            if (StaticTable.value(index).equals(value)) {
                return index;
            }
            index++;
        }
        return 0;
    }

    private void literal(int kind, int prefix, FieldName name, String value, ByteBuffer out) {
        int index = name.staticIndex();
        if (index == 0) {
            int dynamicIndex = table.findName(name.text());
            index = dynamicIndex == 0 ? 0 : dynamicIndex + StaticTable.SIZE;
        }
        integer(kind, prefix, index, out);
        if (index == 0) {
            string(name.text(), out);
        }
        string(value, out);
    }

    private static void string(String text, ByteBuffer out) {
        int coded = text.length() < MIN_HUFFMAN_LENGTH ? text.length() : Huffman.codedLength(text);
        if (coded < text.length()) {
            integer(0x80, 7, coded, out);
            Huffman.encode(text, out);
        } else {
            integer(0, 7, text.length(), out);
            for (int i = 0; i < text.length(); i++) {
                out.put((byte) text.charAt(i));
            }
        }
    }

    /** Writes an integer with a prefix of this many bits, below the bits of the representation's kind (5.1). */
    private static void integer(int kind, int prefix, int value, ByteBuffer out) {
        int mask = (1 << prefix) - 1;
        if (value < mask) {
            out.put((byte) (kind | value));
            return;
        }
        out.put((byte) (kind | mask));
        int rest = value - mask;
        for (; rest > 0x7f; rest >>>= 7) {
            out.put((byte) (0x80 | rest & 0x7f));
        }
        out.put((byte) rest);
    }
}
