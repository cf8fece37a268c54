package io.millrace.files;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The order of a directory listing, as in the queries of its links: {@code ?C=S;O=D} for the largest files first.
 *
 * @param column name, size or time of the last modification
 * @param descending greatest first
 * @param directoriesFirst whether directories precede files, by name
 */
public record DirectoryOrder(Column column, boolean descending, boolean directoriesFirst) {

    /** The sort key. */
    public enum Column {
        NAME('N'),
        SIZE('S'),
        MODIFIED('M');

        private final char letter;

        Column(char letter) {
            this.letter = letter;
        }
    }

    /** By name, directories first. */
    public static final DirectoryOrder DEFAULT = new DirectoryOrder(Column.NAME, false, true);

    /** The order that a query requests; the default if it requests none. */
    public static DirectoryOrder of(@Nullable String query) {
        if (query != null) {
            for (Column column : Column.values()) {
                if (query.startsWith("C=" + column.letter)) {
                    return new DirectoryOrder(column, query.endsWith("O=D"), true);
                }
            }
        }
        return DEFAULT;
    }

    /** The query of a link that sorts by this column, or reverses the order if it is sorted by it already. */
    String query(Column by) {
        return "?C=" + by.letter + ";O=" + (by == column && !descending ? 'D' : 'A');
    }

    Comparator<ServedFile> comparator() {
        Comparator<ServedFile> byName = Comparator.comparing(ServedFile::name);
        Comparator<ServedFile> wanted = switch (column) {
            case NAME -> byName;
            case SIZE -> Comparator.comparingLong(ServedFile::length).thenComparing(byName);
            case MODIFIED -> Comparator.comparingLong(ServedFile::lastModified).thenComparing(byName);
        };
        Comparator<ServedFile> directed = descending ? wanted.reversed() : wanted;
        Comparator<ServedFile> directories = Comparator.comparing(file -> !file.isDirectory());
        return directoriesFirst ? directories.thenComparing(directed) : directed;
    }
}
