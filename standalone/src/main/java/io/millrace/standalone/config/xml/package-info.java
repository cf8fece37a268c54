/** Configuration files as text and elements: lines, entities, placeholders, and the problems that are found in them. */
@NullMarked
package io.millrace.standalone.config.xml;

import org.jspecify.annotations.NullMarked;
