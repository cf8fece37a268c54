/** Tomcat's Valves and Millrace's own: each kind with its attributes, what is checked of them, and what it makes. */
@NullMarked
package io.millrace.standalone.config.valve;

import org.jspecify.annotations.NullMarked;
