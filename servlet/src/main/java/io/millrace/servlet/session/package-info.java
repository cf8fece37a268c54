/** Sessions of one web application: their ids, how clients carry them, how long they live (Servlet 3.1, 7). */
@NullMarked
package io.millrace.servlet.session;

import org.jspecify.annotations.NullMarked;
