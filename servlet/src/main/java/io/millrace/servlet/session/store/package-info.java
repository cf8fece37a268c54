/** Where sessions lie while no server has them in hand: over a restart, or between the servers of a cluster. */
@NullMarked
package io.millrace.servlet.session.store;

import org.jspecify.annotations.NullMarked;
