/** Injection of resources into servlets, filters and listeners, and their life-cycle callbacks. */
@NullMarked
package io.millrace.servlet.inject;

import org.jspecify.annotations.NullMarked;
