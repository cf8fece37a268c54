package io.millrace.connector.http2.hpack;

import java.nio.ByteBuffer;

/**
 * Encodes the header blocks of one connection (RFC 7541), which have to be sent in the order in which they were encoded. It
 * remembers fields whose values repeat from response to response, and takes no memory before the first. For one thread at a
 * time.
 */
public final class HpackEncoder {

    /**
     * What its table may hold, whatever the peer allows: a site repeats a dozen fields, and each connection has a table. The peer
     * need not know, since it counts from the newest field on.
     */
    private static final int OWN_LIMIT = 1024;

    /** Shorter values gain nothing that is worth the time. */
    private static final int LEAST_CODED = 16;

    /** What a field takes beside its octets: three integers. */
    private static final int MOST_BESIDE = 12;

    /** What changes of the table's size take. */
    private static final int MOST_UPDATES = 12;

    private final DynamicTable table = new DynamicTable(OWN_LIMIT);

    /** What the peer's settings allow. */
    private int allowed = HpackDecoder.DEFAULT_TABLE_SIZE;

    /** The least that they have allowed since the last block. */
    private int least = allowed;

    /** The size that the peer's table has, since we have said so or because it began with it. */
    private int said = allowed;

    /** An encoder that remembers nothing yet. */
    public HpackEncoder() {}

    /** How many octets these fields take at most. */
    public static int most(int fields, long octets) {
        return (int) Math.min(Integer.MAX_VALUE, octets + (long) MOST_BESIDE * fields + MOST_UPDATES);
    }

    /** The peer has sent SETTINGS_HEADER_TABLE_SIZE. */
    public void limit(int size) {
        allowed = size;
        least = Math.min(least, size);
        table.maxSize(Math.min(least, table.maxSize()));
    }

    /** What the fields that it remembers count together. */
    public int tableSize() {
        return table.size();
    }

    /** To be called first for each block: says how the table's size has changed, if it has (4.2). */
    public void begin(ByteBuffer out) {
        if (least < said) {
            say(least, out);
        }
        int wanted = Math.min(allowed, HpackDecoder.DEFAULT_TABLE_SIZE);
        if (wanted > said) {
            say(wanted, out);
        }
        least = allowed;
    }

    private void say(int size, ByteBuffer out) {
        integer(0x20, 5, size, out);
        said = size;
        table.maxSize(Math.min(size, OWN_LIMIT));
    }

    /**
     * Writes a field. There is room for it: {@link #most}.
     *
     * @param value of characters that are octets, and that a field may have (RFC 9110, 5.5)
     */
    public void field(FieldName name, String value, ByteBuffer out) {
        int known = inStaticTable(name, value);
        if (known == 0 && name.indexing() == FieldName.Indexing.REMEMBERED) {
            int own = table.find(name.text(), value);
            known = own == 0 ? 0 : own + StaticTable.SIZE;
        }
        if (known != 0) {
            integer(0x80, 7, known, out);
            return;
        }
        switch (name.indexing()) {
            case REMEMBERED -> remember(name, value, out);
            case LITERAL -> literal(0, 4, name, value, out);
            case NEVER -> literal(0x10, 4, name, value, out);
        }
    }

    /** One field must not evict most others. */
    private void remember(FieldName name, String value, ByteBuffer out) {
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
            int own = table.findName(name.text());
            index = own == 0 ? 0 : own + StaticTable.SIZE;
        }
        integer(kind, prefix, index, out);
        if (index == 0) {
            string(name.text(), out);
        }
        string(value, out);
    }

    private static void string(String text, ByteBuffer out) {
        int coded = text.length() < LEAST_CODED ? text.length() : Huffman.codedLength(text);
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

    /** An integer in a prefix of so many bits, below the bits that say what it is (5.1). */
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
