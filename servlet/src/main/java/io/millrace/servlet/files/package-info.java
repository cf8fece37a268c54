/** The default servlet, which serves an application's static files. */
@NullMarked
package io.millrace.servlet.files;

import org.jspecify.annotations.NullMarked;
