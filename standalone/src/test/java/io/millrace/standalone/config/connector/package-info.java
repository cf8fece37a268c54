@NullMarked
package io.millrace.standalone.config.connector;

import org.jspecify.annotations.NullMarked;
