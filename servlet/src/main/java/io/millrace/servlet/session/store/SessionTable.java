package io.millrace.servlet.session.store;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The table of sessions in a database and its columns, those of Tomcat's JDBCStore. The primary key is the id, or the application
 * and the id. Column types: the application a text of at least 255 characters, the id a text of at least 100, the data a binary
 * large object, the validity one character, the idle timeout an int, the time of the last access a 64-bit integer.
 *
 * @param name the table, with or without a schema and quotation marks
 * @param app the column with the application
 * @param id the column with the session's key
 * @param data the column with the content
 * @param valid a column that is always 1, for tools that read Tomcat's tables
 * @param maxInactive the column with the idle timeout in seconds; 0 or less: the session never expires
 * @param lastAccessed the column with the time of the last access, in milliseconds since 1970
 */
public record SessionTable(
        String name, String app, String id, String data, String valid, String maxInactive, String lastAccessed) {

    private static final Pattern PART = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$#]*|\"[^\"]+\"|`[^`]+`|\\[[^\\]]+]");
    private static final Pattern NAME = Pattern.compile("(?:" + PART + ")(?:\\.(?:" + PART + "))*");

    /** The default names of Tomcat's JDBCStore. */
    public static final SessionTable DEFAULT =
            new SessionTable("tomcat$sessions", "app", "id", "data", "valid", "maxinactive", "lastaccess");

    public SessionTable {
        for (String each : new String[] {name, app, id, data, valid, maxInactive, lastAccessed}) {
            if (!isName(each)) {
                throw new IllegalArgumentException(
                        "\"" + each + "\" is not the name of a table or column; expected letters,"
                                + " digits, _, $ and #, or a quoted name");
            }
        }
    }

    /** Whether a text is only the name of a table or column, so that it can be inserted into SQL. */
    public static boolean isName(String text) {
        return NAME.matcher(Objects.requireNonNull(text)).matches();
    }

    String select(String columns, String condition) {
        return "SELECT " + columns + " FROM " + name + " WHERE " + app + " = ?" + condition;
    }

    String selectOne() {
        return select(data + ", " + lastAccessed, " AND " + id + " = ?");
    }

    /** SUBSTRING of a binary column is not in every database. */
    String selectHeader() {
        return select(
                "SUBSTRING(" + data + ", 1, " + SessionRecord.RecordFormat.HEADER + "), " + lastAccessed,
                " AND " + id + " = ?");
    }

    String count() {
        return select("COUNT(*)", "");
    }

    /** By division, because the timeout times 1000 may overflow an int. */
    String selectExpired() {
        return select(id, " AND " + maxInactive + " > 0 AND (? - " + lastAccessed + ") / 1000 >= " + maxInactive);
    }

    /** Locks the row until the transaction ends, by an update without effect, which every database supports. */
    String lock() {
        return "UPDATE " + name + " SET " + valid + " = " + valid + ofOne();
    }

    String insert() {
        return "INSERT INTO " + name + " (" + data + ", " + maxInactive + ", " + lastAccessed + ", " + valid + ", "
                + app + ", " + id + ") VALUES (?, ?, ?, '1', ?, ?)";
    }

    String update() {
        return "UPDATE " + name + " SET " + data + " = ?, " + maxInactive + " = ?, " + lastAccessed + " = ?" + ofOne();
    }

    /** Changes no row if the session has expired. */
    String touch() {
        return "UPDATE " + name + " SET " + lastAccessed + " = CASE WHEN " + lastAccessed + " < ? THEN ? ELSE "
                + lastAccessed + " END" + ofOne() + " AND (" + maxInactive + " <= 0 OR (? - " + lastAccessed
                + ") / 1000 < " + maxInactive + ")";
    }

    String delete() {
        return "DELETE FROM " + name + ofOne();
    }

    String deleteUnused() {
        return delete() + " AND " + lastAccessed + " = ?";
    }

    private String ofOne() {
        return " WHERE " + app + " = ? AND " + id + " = ?";
    }
}
