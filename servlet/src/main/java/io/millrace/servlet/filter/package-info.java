/** Replacements of Tomcat's filters, which web.xml files name by Tomcat's class names. */
@NullMarked
package io.millrace.servlet.filter;

import org.jspecify.annotations.NullMarked;
