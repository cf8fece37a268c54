/** Deployment descriptors: reading web.xml and web fragments, and merging them. */
@NullMarked
package io.millrace.servlet.deploy.xml;

import org.jspecify.annotations.NullMarked;
