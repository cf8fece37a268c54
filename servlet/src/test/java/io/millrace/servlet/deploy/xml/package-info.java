/** Descriptors: XML read, web.xml and fragments as they say it, and merged. */
@NullMarked
package io.millrace.servlet.deploy.xml;

import org.jspecify.annotations.NullMarked;
