package io.millrace.connector.http2.hpack;

/**
 * Decodes the header blocks of one connection (RFC 7541), in the order in which they were sent. Not thread-safe. Its memory is
 * the dynamic table, at most {@link #limit}.
 */
public final class HpackDecoder {

    /** Receives the fields of a block. */
    public interface Fields {

        /**
         * A field. The characters of name and value are octets.
         *
         * @param checked whether this was true for the same field when an earlier block, or this one, brought it into the dynamic table or
         *     referred to it there. Others have not been checked
         * @return whether name and value are valid in any block
         */
        boolean field(String name, String value, boolean checked);

        /** The list exceeds its limit. The rest of its fields are decoded and discarded. */
        void tooLarge();
    }

    /** The initial size of dynamic tables, before any setting (RFC 9113, 6.5.2). */
    public static final int DEFAULT_TABLE_SIZE = 4096;

    /** The index of the field that was added last to the dynamic table. */
    private static final int NEWEST = 1;

    private final FieldTexts texts;
    private final DynamicTable table;
    private int limit;

    /** The limit was reduced, so the peer's next block must begin with a table size update (4.2). */
    private boolean updateExpected;

    // of the block being decoded
    private byte[] block = {};
    private int at;
    private int end;
    private long left;

    /**
     * Creates a decoder with an empty dynamic table.
     *
     * @param texts shared with other connections
     */
    public HpackDecoder(FieldTexts texts) {
        this.texts = texts;
        limit = DEFAULT_TABLE_SIZE;
        table = new DynamicTable(limit);
    }

    /** The peer has acknowledged our SETTINGS_HEADER_TABLE_SIZE. */
    public void limit(int tableSize) {
        updateExpected |= tableSize < table.maxSize();
        limit = tableSize;
    }

    /** The size of the dynamic table. */
    public int tableSize() {
        return table.size();
    }

    /**
     * Decodes one block.
     *
     * @param bytes an array with the block between {@code from} and {@code to}
     * @param maxListSize the limit for its field list: the octets of all fields, and 32 for each (RFC 9113, 6.5.2)
     * @throws HpackException if it is malformed; the decoder cannot be used any more
     */
    public void decode(byte[] bytes, int from, int to, int maxListSize, Fields out) throws HpackException {
        block = bytes;
        at = from;
        end = to;
        left = maxListSize;
        try {
            updates();
            while (at < end) {
                next(out);
            }
        } finally {
            block = new byte[0];
        }
    }

    /** Reads table size updates, which must precede all fields (4.2). */
    private void updates() throws HpackException {
        while (at < end && (block[at] & 0xe0) == 0x20) {
            int size = integer(5);
            if (size > limit) {
                throw new HpackException("a table size of " + size + "; expected at most " + limit);
            }
            table.maxSize(size);
            updateExpected = false;
        }
        if (updateExpected && at < end) {
            throw new HpackException("no table size update at the start of a block after the limit was reduced");
        }
    }

    private void next(Fields out) throws HpackException {
        int first = block[at] & 0xff;
        if (first >= 0x80) {
            int index = integer(7);
            if (index <= StaticTable.SIZE && index > 0) {
                emit(StaticTable.name(index), StaticTable.value(index), false, out);
            } else {
                known(dynamicIndex(index), out);
            }
        } else if (first >= 0x40) {
            String name = name(integer(6));
            String value = string(FieldTexts.isShared(name));
            if (table.add(name, value)) {
                known(NEWEST, out);
            } else {
                emit(name, value, false, out);
            }
        } else if (first >= 0x20) {
            throw new HpackException("a table size update after a field");
        } else {
            String name = name(integer(4));
            if (left < 0) {
                skipString();
            } else {
                boolean mayShare = first < 0x10 && FieldTexts.isShared(name);
                emit(name, string(mayShare), false, out);
            }
        }
    }

    /** A field of the dynamic table is checked once: a client that sends each cookie as a field of its own refers to a hundred. */
    private void known(int index, Fields out) {
        boolean checked = table.isChecked(index);
        if (emit(table.name(index), table.value(index), checked, out) && !checked) {
            table.setChecked(index);
        }
    }

    /** Whether it was passed on, and is valid. */
    private boolean emit(String name, String value, boolean checked, Fields out) {
        if (left < 0) {
            return false;
        }
        left -= DynamicTable.sizeOf(name, value);
        if (left < 0) {
            out.tooLarge();
            return false;
        }
        return out.field(name, value, checked);
    }

    private String name(int index) throws HpackException {
        if (index == 0) {
            return string(true);
        }
        return index <= StaticTable.SIZE ? StaticTable.name(index) : table.name(dynamicIndex(index));
    }

    /** Converts an index into one of the dynamic table. */
    private int dynamicIndex(int index) throws HpackException {
        int dynamicIndex = index - StaticTable.SIZE;
        if (dynamicIndex < 1 || dynamicIndex > table.count()) {
            throw new HpackException("the index " + index + "; expected 1 to " + (StaticTable.SIZE + table.count()));
        }
        return dynamicIndex;
    }

    private String string(boolean shared) throws HpackException {
        boolean huffman = isHuffman();
        int from = stringStart();
        return texts.text(block, from, at, huffman, shared);
    }

    /** Skips the value of a field that is discarded and not added to the table. */
    private void skipString() throws HpackException {
        isHuffman();
        stringStart();
    }

    private boolean isHuffman() throws HpackException {
        if (at == end) {
            throw truncated();
        }
        return block[at] < 0;
    }

    /** Reads a string's length, skips the string, and returns its start. */
    private int stringStart() throws HpackException {
        int length = integer(7);
        if (length > end - at) {
            throw truncated();
        }
        at += length;
        return at - length;
    }

    /** Reads an integer with a prefix of this many bits (5.1): below 2³¹, in no more octets than that needs. */
    private int integer(int prefix) throws HpackException {
        int mask = (1 << prefix) - 1;
        int first = block[at++] & mask;
        if (first < mask) {
            return first;
        }
        long value = first;
        for (int shift = 0; shift <= 28; shift += 7) {
            if (at == end) {
                throw truncated();
            }
            int octet = block[at++];
            value += (octet & 0x7fL) << shift;
            if (octet >= 0 && value <= Integer.MAX_VALUE) {
                return (int) value;
            }
        }
        throw new HpackException("an integer of more than 31 bits");
    }

    private static HpackException truncated() {
        return new HpackException("a header block that ends within a field");
    }
}
