package io.millrace.heap;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why an object is not garbage: the shortest path of references to it from a GC root, in a heap dump of the JDK (HPROF, version 1.0.2, with
 * identifiers of eight bytes). Weak references do not count; soft ones do, since
 * they are kept until memory is short.
 *
 * <p>The file is read once for each step of the path, from the object towards the roots, so that the memory that is needed depends on
 * what leads to the object, and not on the size of the heap. Confined to a thread.
 */
public final class HeapDump implements Closeable {

    private static final int OBJECT = 2;
    private static final int BYTE = 8;
    private static final int ID = 8;
    /** In bytes, by the format's type numbers. */
    private static final int[] SIZES = {0, 0, ID, 0, 1, 2, 4, 8, 1, 2, 4, 8};

    private final HeapFile file;
    private final Map<Long, String> strings = new HashMap<>();
    private final Map<Long, String> classNames = new HashMap<>();
    private final Map<Long, Type> types = new LinkedHashMap<>();
    private final Map<Long, Root> roots = new LinkedHashMap<>();
    /** By their numbers. */
    private final Map<Integer, Long> threads = new HashMap<>();
    /** Where the records of heaps begin and end. */
    private final List<long[]> segments = new ArrayList<>();

    /** What a record says: its position is that of what follows the object's id. */
    private interface Visitor {
        void visit(int tag, long id, long position) throws IOException;
    }

    private interface References {
        void add(String by, long to);
    }

    /** @param thread the number of the thread in whose frame it is; 0 for none */
    private record Root(int tag, int thread) {}

    private record Field(String name, int type) {}

    /** @param statics the references in its static fields, including its class loader */
    private record Type(long parent, List<Field> fields, Map<String, Long> statics) {}

    private HeapDump(HeapFile file) {
        this.file = file;
    }

    /**
     * Writes a dump of this process, after a garbage collection; no thread runs meanwhile.
     *
     * @param file which must not exist; its name ends with {@code .hprof}
     * @throws IOException also if this Java cannot write dumps
     */
    public static void write(Path file) throws IOException {
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
        } catch (LinkageError | UnsupportedOperationException | IllegalArgumentException e) {
            throw new IOException("this Java cannot write heap dumps: " + e, e);
        }
    }

    /**
     * Opens a dump; the file may be deleted afterwards.
     *
     * @throws IOException also if it is truncated or no dump; the message continues a sentence that begins with the file's name
     */
    public static HeapDump open(Path path) throws IOException {
        HeapDump dump = new HeapDump(new HeapFile(path));
        try {
            dump.readTypes();
            return dump;
        } catch (IOException | RuntimeException | Error e) {
            dump.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    // ---- questions

    /** The instances of a class, but not of its subclasses. */
    public Set<Long> instancesOf(String className) throws IOException {
        Set<Long> found = new HashSet<>();
        Set<Long> ids = classes(className);
        records((tag, id, position) -> {
            if (tag == HeapFile.INSTANCE && ids.contains(file.longAt(position + 4))) {
                found.add(id);
            }
        });
        return found;
    }

    /** The value of a field of these objects that holds a reference: 0 for null. Absent if an object has no such field. */
    public Map<Long, Long> field(Set<Long> objects, String name) throws IOException {
        Map<Long, Long> values = new HashMap<>();
        for (Map.Entry<Long, long[]> each : locate(objects).entrySet()) {
            references(each.getValue(), false, (by, to) -> {
                if (by.equals("." + name)) {
                    values.put(each.getKey(), to);
                }
            });
        }
        return values;
    }

    /** The characters of these strings; those that are none are absent. */
    public Map<Long, String> texts(Set<Long> objects) throws IOException {
        Map<Long, Long> arrays = field(objects, "value");
        Map<Long, long[]> positions = locate(new HashSet<>(arrays.values()));
        Map<Long, long[]> instances = locate(objects);
        Map<Long, String> texts = new HashMap<>();
        for (Map.Entry<Long, Long> each : arrays.entrySet()) {
            long[] array = positions.get(each.getValue());
            long[] string = instances.get(each.getKey());
            if (array != null && string != null && array[0] == HeapFile.PRIMITIVES) {
                int length = file.intAt(array[1] + 4);
                byte[] bytes = file.bytesAt(array[1] + 4 + 4 + 1, length);
                texts.put(
                        each.getKey(),
                        new String(
                                bytes, isLatin(string[1]) ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_16LE));
            }
        }
        return texts;
    }

    /** Whether a String has a byte for each character. */
    private boolean isLatin(long position) throws IOException {
        long at = position + 4 + ID + 4;
        for (Type type = types.get(file.longAt(position + 4)); type != null; type = types.get(type.parent)) {
            for (Field field : type.fields) {
                if (field.name.equals("coder") && field.type == BYTE) {
                    return file.byteAt(at) == 0;
                }
                at += SIZES[field.type];
            }
        }
        return false;
    }

    /**
     * The shortest path from a root to one of these objects: a line for the root, and one for each reference. Empty if nothing holds
     * them.
     */
    public List<String> pathTo(Set<Long> objects) throws IOException {
        LongMap towards = new LongMap();
        LongMap frontier = new LongMap();
        for (long object : objects) {
            if (object != 0) {
                towards.put(object, 0);
                frontier.put(object, 0);
            }
        }
        long root =
                roots.keySet().stream().filter(towards::contains).findFirst().orElse(0L);
        while (root == 0 && frontier.size() > 0) {
            LongMap next = new LongMap();
            holders(frontier, towards, next);
            root = roots.keySet().stream().filter(next::contains).findFirst().orElse(0L);
            frontier = next;
        }
        return root == 0 ? List.of() : lines(root, towards);
    }

    /** Finds what has references to the objects of a frontier. */
    private void holders(LongMap frontier, LongMap towards, LongMap next) throws IOException {
        types.forEach((id, type) -> type.statics.values().forEach(to -> reach(id, to, frontier, towards, next)));
        records((tag, id, position) -> {
            if (tag != HeapFile.PRIMITIVES && !towards.contains(id)) {
                references(new long[] {tag, position}, true, (by, to) -> reach(id, to, frontier, towards, next));
            }
        });
    }

    private static void reach(long from, long to, LongMap frontier, LongMap towards, LongMap next) {
        if (frontier.contains(to) && !towards.contains(from)) {
            towards.put(from, to);
            next.put(from, to);
        }
    }

    private List<String> lines(long root, LongMap towards) throws IOException {
        List<Long> path = new ArrayList<>();
        for (long at = root; at != 0; at = towards.get(at)) {
            path.add(at);
        }
        Map<Long, long[]> positions = locate(new HashSet<>(path));
        Map<Long, String> names = names(positions);
        List<String> lines = new ArrayList<>();
        String by = describe(Objects.requireNonNull(roots.get(root)));
        for (int i = 0; i < path.size(); i++) {
            long at = path.get(i);
            lines.add(by + " -> " + describe(at, positions.get(at)) + names.getOrDefault(at, ""));
            if (i + 1 < path.size()) {
                by = between(at, positions.get(at), path.get(i + 1));
            }
        }
        return lines;
    }

    private String describe(Root root) throws IOException {
        Long thread = threads.get(root.thread);
        if (thread == null) {
            return rootName(root.tag);
        }
        return rootName(root.tag) + " of the thread"
                + names(locate(Set.of(thread))).getOrDefault(thread, "");
    }

    /** By which reference an object holds another one. */
    private String between(long from, long @Nullable [] position, long to) throws IOException {
        List<String> found = new ArrayList<>();
        References first = (by, each) -> {
            if (each == to) {
                found.add(by);
            }
        };
        Type type = types.get(from);
        if (type != null) {
            type.statics.forEach(first::add);
        } else if (position != null) {
            references(position, true, first);
        }
        return found.get(0);
    }

    /** Those of objects that have a name, such as threads and class loaders, in quotation marks. */
    private Map<Long, String> names(Map<Long, long[]> positions) throws IOException {
        Map<Long, Long> names = field(positions.keySet(), "name");
        Map<Long, String> texts = texts(new HashSet<>(names.values()));
        Map<Long, String> found = new HashMap<>();
        names.forEach((object, name) -> {
            String text = texts.get(name);
            if (text != null) {
                found.put(object, " \"" + text.replaceAll("\\p{Cntrl}", "?") + "\"");
            }
        });
        return found;
    }

    private String describe(long id, long @Nullable [] position) throws IOException {
        if (types.containsKey(id)) {
            return "class " + classNames.get(id);
        }
        if (position != null && position[0] == HeapFile.INSTANCE) {
            return String.valueOf(classNames.get(file.longAt(position[1] + 4)));
        }
        return "array";
    }

    // ---- reading

    private Set<Long> classes(String name) {
        Set<Long> ids = new HashSet<>();
        classNames.forEach((id, each) -> {
            if (each.equals(name)) {
                ids.add(id);
            }
        });
        return ids;
    }

    /** The tags and positions of objects that are no classes. */
    private Map<Long, long[]> locate(Set<Long> objects) throws IOException {
        Map<Long, long[]> found = new HashMap<>();
        if (!objects.isEmpty()) {
            records((tag, id, position) -> {
                if (objects.contains(id)) {
                    found.put(id, new long[] {tag, position});
                }
            });
        }
        return found;
    }

    private void references(long[] record, boolean strong, References references) throws IOException {
        long position = record[1];
        if (record[0] == HeapFile.ARRAY) {
            int length = file.intAt(position + 4);
            for (int i = 0; i < length; i++) {
                references.add("[" + i + "]", file.longAt(position + 4 + 4 + ID + (long) i * ID));
            }
        } else if (record[0] == HeapFile.INSTANCE) {
            ofInstance(position, strong, references);
        }
    }

    private void ofInstance(long position, boolean strong, References references) throws IOException {
        long typeId = file.longAt(position + 4);
        long at = position + 4 + ID + 4;
        boolean soft = false;
        references.add("its class", typeId);
        for (Type type = types.get(typeId); type != null; type = types.get(typeId)) {
            String name = String.valueOf(classNames.get(typeId));
            soft |= name.equals("java.lang.ref.SoftReference");
            boolean isReference = strong && !soft && name.equals("java.lang.ref.Reference");
            for (Field field : type.fields) {
                boolean weak = isReference && !field.name.equals("queue");
                if (field.type == OBJECT && !weak) {
                    references.add("." + field.name, file.longAt(at));
                }
                at += SIZES[field.type];
            }
            typeId = type.parent;
        }
    }

    private void records(Visitor visitor) throws IOException {
        for (long[] segment : segments) {
            file.seek(segment[0]);
            while (file.position() < segment[1]) {
                int tag = file.readByte() & 0xFF;
                long id = file.readLong();
                long position = file.position();
                switch (tag) {
                    case HeapFile.INSTANCE -> {
                        visitor.visit(tag, id, position);
                        file.seek(position + 4 + ID);
                        file.skip(file.readInt());
                    }
                    case HeapFile.ARRAY -> {
                        visitor.visit(tag, id, position);
                        file.seek(position + 4);
                        file.skip((long) file.readInt() * ID + ID);
                    }
                    case HeapFile.PRIMITIVES -> {
                        visitor.visit(tag, id, position);
                        file.seek(position + 4);
                        int length = file.readInt();
                        file.skip((long) length * SIZES[file.readByte()]);
                    }
                    case HeapFile.CLASS -> readType();
                    default -> file.skip(rootSize(tag));
                }
            }
        }
    }

    private static int rootSize(int tag) throws IOException {
        return switch (tag) {
            case 0x05, 0x07, 0xFF -> 0;
            case 0x04, 0x06 -> 4;
            case 0x02, 0x03, 0x08 -> 8;
            case 0x01 -> ID;
            default -> throw new IOException("has the unknown tag " + tag);
        };
    }

    private static String rootName(int tag) {
        return switch (tag) {
            case 0x01 -> "JNI";
            case 0x02 -> "a native frame";
            case 0x03 -> "a frame";
            case 0x04 -> "a native stack";
            case 0x05 -> "a class of the JVM";
            case 0x06, 0x08 -> "a thread";
            case 0x07 -> "a monitor";
            default -> "the JVM";
        };
    }

    /** Reads all that is no object: names, classes, roots. */
    private void readTypes() throws IOException {
        readRecords();
        for (long[] segment : segments) {
            file.seek(segment[0]);
            while (file.position() < segment[1]) {
                int tag = file.readByte() & 0xFF;
                long id = file.readLong();
                switch (tag) {
                    case HeapFile.INSTANCE -> {
                        file.skip(4 + ID);
                        file.skip(file.readInt());
                    }
                    case HeapFile.ARRAY -> {
                        file.skip(4);
                        file.skip((long) file.readInt() * ID + ID);
                    }
                    case HeapFile.PRIMITIVES -> {
                        file.skip(4);
                        int length = file.readInt();
                        file.skip((long) length * SIZES[file.readByte()]);
                    }
                    case HeapFile.CLASS -> types.put(id, readType());
                    default -> {
                        int size = rootSize(tag);
                        int number = size > 0 && tag != 0x01 ? file.intAt(file.position()) : 0;
                        if (tag == 0x08) {
                            threads.put(number, id);
                        }
                        roots.putIfAbsent(id, new Root(tag, tag == 0x08 ? 0 : number));
                        file.skip(size);
                    }
                }
            }
        }
    }

    private void readRecords() throws IOException {
        if (!file.isDump()) {
            throw new IOException("is no heap dump with identifiers of " + ID + " bytes");
        }
        while (file.position() < file.size()) {
            int tag = file.readByte();
            file.skip(4);
            long length = Integer.toUnsignedLong(file.readInt());
            long end = file.position() + length;
            if (end > file.size()) {
                throw new IOException("is truncated");
            }
            switch (tag) {
                case 0x01 -> {
                    long id = file.readLong();
                    strings.put(
                            id, new String(file.bytesAt(file.position(), (int) length - ID), StandardCharsets.UTF_8));
                }
                case 0x02 -> {
                    file.skip(4);
                    long id = file.readLong();
                    file.skip(4);
                    classNames.put(
                            id, String.valueOf(strings.get(file.readLong())).replace('/', '.'));
                }
                case 0x0C, 0x1C -> segments.add(new long[] {file.position(), end});
                default -> {
                    // stacks and statistics
                }
            }
            file.seek(end);
        }
    }

    private Type readType() throws IOException {
        file.skip(4);
        final long parent = file.readLong();
        Map<String, Long> statics = new LinkedHashMap<>();
        statics.put("its class loader", file.readLong());
        file.skip(ID); // signers
        statics.put("its protection domain", file.readLong());
        file.skip(2 * ID + 4);
        for (int left = file.readShort(); left > 0; left--) {
            file.skip(2);
            file.skip(SIZES[file.readByte()]);
        }
        for (int left = file.readShort(); left > 0; left--) {
            String name = "." + strings.get(file.readLong());
            int type = file.readByte();
            if (type == OBJECT) {
                statics.put(name, file.readLong());
            } else {
                file.skip(SIZES[type]);
            }
        }
        List<Field> fields = new ArrayList<>();
        for (int left = file.readShort(); left > 0; left--) {
            fields.add(new Field(String.valueOf(strings.get(file.readLong())), file.readByte()));
        }
        return new Type(parent, fields, statics);
    }
}
