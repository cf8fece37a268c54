/** The default servlet: an application's static files as the responses of a servlet. */
@NullMarked
package io.millrace.servlet.files;

import org.jspecify.annotations.NullMarked;
