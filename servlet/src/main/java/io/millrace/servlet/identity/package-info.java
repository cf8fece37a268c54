/** Who may log in: the store an application asks, and those that come with the container. */
@NullMarked
package io.millrace.servlet.identity;

import org.jspecify.annotations.NullMarked;
