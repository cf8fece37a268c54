/** Web applications: deploying them and answering their requests. */
@NullMarked
package io.millrace.servlet;

import org.jspecify.annotations.NullMarked;
