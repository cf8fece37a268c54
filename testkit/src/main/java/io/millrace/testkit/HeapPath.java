package io.millrace.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an object is not garbage: the shortest reference path to it from a GC root, from a heap dump of this JVM. For the
 * message of a test that waited in vain for garbage collection.
 */
public final class HeapPath {

    private final HeapDump dump;
    private final Map<Long, Step> reached = new HashMap<>();
    private final Deque<Long> next = new ArrayDeque<>();

    /** A reference from another object; from 0 for a root. */
    private record Step(long from, String by) {}

    private HeapPath(HeapDump dump) {
        this.dump = dump;
    }

    /**
     * The path to an instance of a class, one reference per line, beginning with the root; or that there is none. Takes
     * seconds.
     *
     * @param className binary name
     */
    public static String to(String className) throws IOException {
        Path directory = Files.createTempDirectory("heap");
        Path file = directory.resolve("now.hprof");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
            return new HeapPath(HeapDump.read(file)).find(className.replace('.', '/'));
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    private String find(String className) {
        dump.roots().forEach((id, kind) -> reach(id, new Step(0, kind)));
        for (Long at = next.poll(); at != null; at = next.poll()) {
            if (className.equals(dump.classNameOf(at))) {
                return path(at);
            }
            long from = at;
            dump.references(at, (by, to) -> reach(to, new Step(from, by)));
        }
        return "nothing holds an instance of " + className;
    }

    private void reach(long id, Step step) {
        if (id != 0 && reached.putIfAbsent(id, step) == null) {
            next.add(id);
        }
    }

    private String path(long end) {
        List<String> lines = new ArrayList<>();
        long at = end;
        for (@Nullable Step step = reached.get(at); step != null; step = reached.get(at)) {
            lines.add(0, step.by + " -> " + dump.describe(at));
            at = step.from;
        }
        return String.join("\n", lines);
    }

    /**
     * A heap dump in the HPROF binary format of the JDK, version 1.0.2, with identifiers of eight bytes: objects, their references,
     * and GC roots. Weak references are ignored.
     */
    private static final class HeapDump {

        private static final int OBJECT = 2;
        private static final int ID = 8;
        /** In bytes, by the format's type numbers. */
        private static final int[] SIZES = {0, 0, ID, 0, 1, 2, 4, 8, 1, 2, 4, 8};

        private final ByteBuffer file;
        private final Map<Long, String> strings = new HashMap<>();
        private final Map<Long, String> classNames = new HashMap<>();
        private final Map<Long, Type> types = new HashMap<>();
        private final Map<Long, Integer> instances = new HashMap<>();
        private final Map<Long, Integer> arrays = new HashMap<>();
        private final Map<Long, String> roots = new LinkedHashMap<>();

        /** Visits references. */
        interface Visitor {
            void visit(String by, long to);
        }

        private record Field(String name, int type) {}

        /** @param statics the references in its static fields, including its class loader */
        private record Type(long parent, List<Field> fields, Map<String, Long> statics) {}

        private HeapDump(ByteBuffer file) {
            this.file = file;
        }

        /** Reads a file of less than two gigabytes. */
        static HeapDump read(Path path) throws IOException {
            try (FileChannel channel = FileChannel.open(path)) {
                HeapDump dump = new HeapDump(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
                dump.readAll();
                return dump;
            }
        }

        Map<Long, String> roots() {
            return roots;
        }

        /** The class name with slashes; null for an array or a class. */
        @Nullable
        String classNameOf(long id) {
            Integer at = instances.get(id);
            return at == null ? null : classNames.get(file.getLong(at));
        }

        String describe(long id) {
            String name = classNameOf(id);
            if (name != null) {
                return name;
            }
            return types.containsKey(id) ? "class " + classNames.get(id) : "array";
        }

        void references(long id, Visitor visitor) {
            Integer instance = instances.get(id);
            Integer array = arrays.get(id);
            Type type = types.get(id);
            if (instance != null) {
                ofInstance(instance, visitor);
            } else if (array != null) {
                int length = file.getInt(array);
                for (int i = 0; i < length; i++) {
                    visitor.visit("[" + i + "]", file.getLong(array + 4 + ID + i * ID));
                }
            } else if (type != null) {
                type.statics.forEach(visitor::visit);
            }
        }

        private void ofInstance(int start, Visitor visitor) {
            long typeId = file.getLong(start);
            boolean soft = false;
            int at = start + ID + 4;
            visitor.visit("its class", typeId);
            Type type = types.get(typeId);
            while (type != null) {
                String name = String.valueOf(classNames.get(typeId));
                soft |= name.equals("java/lang/ref/SoftReference");
                for (Field field : type.fields) {
                    boolean weak = name.equals("java/lang/ref/Reference") && !field.name.equals("queue") && !soft;
                    if (field.type == OBJECT && !weak) {
                        visitor.visit("." + field.name, file.getLong(at));
                    }
                    at += SIZES[field.type];
                }
                typeId = type.parent;
                type = types.get(typeId);
            }
        }

        private void readAll() {
            while (file.get() != 0) {
                // the name of the format
            }
            if (file.getInt() != ID) {
                throw new IllegalStateException("identifiers are not of " + ID + " bytes");
            }
            file.getLong();
            while (file.hasRemaining()) {
                int tag = file.get();
                file.getInt();
                int end = file.getInt() + file.position();
                switch (tag) {
                    case 0x01 -> strings.put(file.getLong(), text(end));
                    case 0x02 -> {
                        file.getInt();
                        long id = file.getLong();
                        file.getInt();
                        classNames.put(id, String.valueOf(strings.get(file.getLong())));
                    }
                    case 0x0C, 0x1C -> readHeap(end);
                    default -> {
                        // stacks and statistics
                    }
                }
                file.position(end);
            }
        }

        private String text(int end) {
            byte[] bytes = new byte[end - file.position()];
            file.get(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }

        private void readHeap(int end) {
            while (file.position() < end) {
                int tag = file.get() & 0xFF;
                long id = file.getLong();
                switch (tag) {
                    case 0xFF -> root(id, "the JVM", 0);
                    case 0x01 -> root(id, "JNI", ID);
                    case 0x02 -> root(id, "a native frame", 8);
                    case 0x03 -> root(id, "a frame", 8);
                    case 0x04 -> root(id, "a native stack", 4);
                    case 0x05 -> root(id, "a class of the JVM", 0);
                    case 0x06 -> root(id, "a thread", 4);
                    case 0x07 -> root(id, "a monitor", 0);
                    case 0x08 -> root(id, "a thread", 8);
                    case 0x20 -> types.put(id, type());
                    case 0x21 -> {
                        file.getInt();
                        instances.put(id, file.position());
                        file.getLong();
                        skip(file.getInt());
                    }
                    case 0x22 -> {
                        file.getInt();
                        arrays.put(id, file.position());
                        skip(file.getInt() * ID + ID);
                    }
                    case 0x23 -> {
                        file.getInt();
                        int length = file.getInt();
                        skip(length * SIZES[file.get()]);
                    }
                    default -> throw new IllegalStateException("unknown tag " + tag + " in a heap dump");
                }
            }
        }

        private void root(long id, String kind, int rest) {
            roots.putIfAbsent(id, kind);
            skip(rest);
        }

        private void skip(int bytes) {
            file.position(file.position() + bytes);
        }

        private Type type() {
            file.getInt();
            final long parent = file.getLong();
            Map<String, Long> statics = new LinkedHashMap<>();
            statics.put("its class loader", file.getLong());
            skip(ID); // signers
            statics.put("its protection domain", file.getLong());
            skip(2 * ID + 4);
            for (int left = file.getShort(); left > 0; left--) {
                file.getShort();
                skip(SIZES[file.get()]);
            }
            for (int left = file.getShort(); left > 0; left--) {
                String name = "." + strings.get(file.getLong());
                int type = file.get();
                if (type == OBJECT) {
                    statics.put(name, file.getLong());
                } else {
                    skip(SIZES[type]);
                }
            }
            List<Field> fields = new ArrayList<>();
            for (int left = file.getShort(); left > 0; left--) {
                fields.add(new Field(String.valueOf(strings.get(file.getLong())), file.get()));
            }
            return new Type(parent, fields, statics);
        }
    }
}
