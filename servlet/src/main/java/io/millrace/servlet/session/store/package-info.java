/** Session stores: the SPI, and stores in files, in a database and in memory. */
@NullMarked
package io.millrace.servlet.session.store;

import org.jspecify.annotations.NullMarked;
