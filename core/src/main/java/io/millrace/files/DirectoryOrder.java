package io.millrace.files;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * How a listing is sorted: as its links ask for it, {@code ?C=S;O=D} for the largest first.
 *
 * @param column name, size or time of the last change
 * @param descending the greatest first
 * @param directoriesFirst before all files, by name
 */
public record DirectoryOrder(Column column, boolean descending, boolean directoriesFirst) {

    /** By what. */
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

    /** What a query asks for; the default if it asks for nothing known. */
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

    /** The query of a link that sorts by this column, or turns the order round if that is so already. */
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
