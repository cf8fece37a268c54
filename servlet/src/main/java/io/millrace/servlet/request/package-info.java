/** The Servlet API's request and response, as facades over an exchange. */
@NullMarked
package io.millrace.servlet.request;

import org.jspecify.annotations.NullMarked;
