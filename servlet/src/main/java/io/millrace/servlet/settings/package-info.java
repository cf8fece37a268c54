/** What connectors and applications say about requests, and operators about applications. */
@NullMarked
package io.millrace.servlet.settings;

import org.jspecify.annotations.NullMarked;
