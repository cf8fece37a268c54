/** The registration of an application's servlets, filters and listeners, its start and its stop. */
@NullMarked
package io.millrace.servlet.context;

import org.jspecify.annotations.NullMarked;
