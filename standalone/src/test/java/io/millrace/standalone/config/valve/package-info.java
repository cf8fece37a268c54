@NullMarked
package io.millrace.standalone.config.valve;

import org.jspecify.annotations.NullMarked;
