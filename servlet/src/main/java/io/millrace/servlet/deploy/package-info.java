/** Reads a WAR: unpacks it, gives it a class loader, and merges what it says of itself into one model. */
@NullMarked
package io.millrace.servlet.deploy;

import org.jspecify.annotations.NullMarked;
