/** What keeps the sessions of several servers: the interface between a server and the engines under {@code cluster/}. */
@NullMarked
package io.millrace.servlet.session.cluster;

import org.jspecify.annotations.NullMarked;
