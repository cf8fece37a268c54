package io.millrace.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Header fields in the order in which they were added; names are compared without regard to case (RFC 9110, 5.1).
 * Lookups are linear, since a request has about a dozen fields. Not thread-safe. Names and values are not validated.
 */
public final class Headers {

    private static final String[] NONE = {};

    /** A request has about a dozen: room for these is made in two steps. */
    private static final int IN_REQUEST = 8;

    private final int expected;
    private String[] fields = NONE; // shared, because upgraded connections keep heads without fields
    private int length;

    /** No fields. */
    public Headers() {
        this(IN_REQUEST);
    }

    /** @param expected the number of fields for which there is room before memory is allocated again */
    Headers(int expected) {
        this.expected = expected;
    }

    /** An independent copy. */
    public Headers copy() {
        Headers copy = new Headers(expected);
        copy.fields = fields.clone();
        copy.length = length;
        return copy;
    }

    /** The first value of a field; null if there is none. */
    public @Nullable String get(String name) {
        for (int i = 0; i < length; i += 2) {
            if (same(fields[i], name)) {
                return fields[i + 1];
            }
        }
        return null;
    }

    /** All values of a field, in order; unmodifiable. */
    public List<String> all(String name) {
        List<String> values = List.of();
        for (int i = 0; i < length; i += 2) {
            if (same(fields[i], name)) {
                values = values.isEmpty() ? List.of(fields[i + 1]) : with(values, fields[i + 1]);
            }
        }
        return values.size() < 2 ? values : List.copyOf(values);
    }

    /** Adds to a list; the first one, which is immutable, is copied. */
    private static List<String> with(List<String> values, String another) {
        List<String> more = values.size() > 1 ? values : new ArrayList<>(values);
        more.add(another);
        return more;
    }

    /** The total number of characters of names and values. */
    public int characters() {
        int sum = 0;
        for (int i = 0; i < length; i++) {
            sum += fields[i].length();
        }
        return sum;
    }

    public boolean contains(String name) {
        return get(name) != null;
    }

    /** Adds a field after the existing ones. */
    public Headers add(String name, String value) {
        if (length == fields.length) {
            fields = Arrays.copyOf(fields, Math.max(2 * expected, length * 2));
        }
        fields[length] = name;
        fields[length + 1] = value;
        length += 2;
        return this;
    }

    /** Removes all fields of this name and adds one. */
    public Headers set(String name, String value) {
        remove(name);
        return add(name, value);
    }

    public Headers remove(String name) {
        int to = 0;
        for (int from = 0; from < length; from += 2) {
            if (!same(fields[from], name)) {
                fields[to] = fields[from];
                fields[to + 1] = fields[from + 1];
                to += 2;
            }
        }
        length = to;
        return this;
    }

    public void clear() {
        length = 0;
    }

    /** The number of fields; one that occurs twice counts twice. */
    public int size() {
        return length / 2;
    }

    /** The name of the field at an index, in its original spelling. */
    public String name(int i) {
        return fields[2 * i];
    }

    /** The value of the field at an index. */
    public String value(int i) {
        return fields[2 * i + 1];
    }

    /** The distinct names in order, each in its first spelling. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        Set<String> seen = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < size(); i++) {
            if (seen.add(name(i))) {
                names.add(name(i));
            }
        }
        return names;
    }

    @SuppressWarnings("ReferenceEquality") // interned names are the common case
    private static boolean same(String a, String b) {
        return a == b || a.length() == b.length() && a.equalsIgnoreCase(b);
    }
}
