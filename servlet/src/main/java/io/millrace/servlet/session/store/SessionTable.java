package io.millrace.servlet.session.store;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A table of sessions, with the columns that Tomcat's JDBCStore has. The application and the id are its key together, or the id
 * alone. The types that fit are: for the application and the id texts of at least 255 and 100 characters, for the data bytes (as
 * many as a session may have), for the validity one character, for the idle time an int, for the time of the last access a
 * 64-bit integer.
 *
 * @param name as SQL has it: with a schema before it, in quotation marks, or neither
 * @param app of the application
 * @param id of the session's key
 * @param data of its content
 * @param valid always 1: it is for tools that know Tomcat's
 * @param maxInactive of the seconds after which it expires unused; 0 or less: never
 * @param lastAccessed of the time of its last use, in milliseconds since 1970
 */
public record SessionTable(
        String name, String app, String id, String data, String valid, String maxInactive, String lastAccessed) {

    private static final Pattern PART = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$#]*|\"[^\"]+\"|`[^`]+`|\\[[^\\]]+]");
    private static final Pattern NAME = Pattern.compile("(?:" + PART + ")(?:\\.(?:" + PART + "))*");

    /** With the names that JDBCStore has where nothing is said. */
    public static final SessionTable DEFAULT =
            new SessionTable("tomcat$sessions", "app", "id", "data", "valid", "maxinactive", "lastaccess");

    public SessionTable {
        for (String each : new String[] {name, app, id, data, valid, maxInactive, lastAccessed}) {
            if (!isName(each)) {
                throw new IllegalArgumentException("\"" + each + "\" is no name of a table or column");
            }
        }
    }

    /** Can it be the name of a table or column, without anything behind it that is none? */
    public static boolean isName(String text) {
        return NAME.matcher(Objects.requireNonNull(text)).matches();
    }

    String select(String columns, String condition) {
        return "SELECT " + columns + " FROM " + name + " WHERE " + app + " = ?" + condition;
    }

    String selectOne() {
        return select(data + ", " + lastAccessed, " AND " + id + " = ?");
    }

    /** By division, since seconds times 1000 may be more than an int. */
    String selectExpired() {
        return select(id, " AND " + maxInactive + " > 0 AND (? - " + lastAccessed + ") / 1000 >= " + maxInactive);
    }

    /** Changes nothing, and keeps others from changing the row until the transaction ends: what every database has. */
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

    String touch() {
        return "UPDATE " + name + " SET " + lastAccessed + " = ?" + ofOne() + " AND " + lastAccessed + " < ?";
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
