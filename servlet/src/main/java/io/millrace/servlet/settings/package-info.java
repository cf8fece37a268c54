/** What connectors and applications say about requests. */
@NullMarked
package io.millrace.servlet.settings;

import org.jspecify.annotations.NullMarked;
