/** HTTP as a client: connections kept in a pool, a request and its response at a time. No thread of its own. */
@NullMarked
package io.millrace.client;

import org.jspecify.annotations.NullMarked;
