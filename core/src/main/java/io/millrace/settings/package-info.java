/**
 * Settings: each is declared once, with its name in server.xml, its type, limits and default. The reader of server.xml,
 * its validation and programs that embed the server use the same declaration.
 */
@NullMarked
package io.millrace.settings;

import org.jspecify.annotations.NullMarked;
