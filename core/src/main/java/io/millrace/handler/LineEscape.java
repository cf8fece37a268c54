package io.millrace.handler;

/** How untrusted text is escaped, so that it can end neither a field nor a line. */
enum LineEscape {
    /** As in the access logs of Tomcat and httpd: a backslash before quotes and backslashes. */
    TEXT,
    /** As in the W3C's extended log file format: text with spaces or quotes is quoted, and its quotes are doubled. */
    EXTENDED,
    /** Within a JSON string (RFC 8259, 7). */
    JSON
}
