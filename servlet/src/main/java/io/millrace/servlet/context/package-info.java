/** One running web application: its servlets, filters and listeners, and how a request finds its way through them. */
@NullMarked
package io.millrace.servlet.context;

import org.jspecify.annotations.NullMarked;
