/** The deployment descriptor of a web application, merged from web.xml, fragments and annotations: data without behaviour. */
@NullMarked
package io.millrace.servlet.model;

import org.jspecify.annotations.NullMarked;
