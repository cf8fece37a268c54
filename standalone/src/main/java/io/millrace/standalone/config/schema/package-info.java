/** What a configuration file may say: kinds of elements, their attributes, and the one pass that reads and reports them. */
@NullMarked
package io.millrace.standalone.config.schema;

import org.jspecify.annotations.NullMarked;
