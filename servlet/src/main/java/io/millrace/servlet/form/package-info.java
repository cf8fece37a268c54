/** Values a client sends: query and form parameters, multipart bodies, and the limits on them. */
@NullMarked
package io.millrace.servlet.form;

import org.jspecify.annotations.NullMarked;
