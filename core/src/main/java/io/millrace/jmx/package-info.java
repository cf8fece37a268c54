/** MBeans, which are made only if something can read them. */
@NullMarked
package io.millrace.jmx;

import org.jspecify.annotations.NullMarked;
