/** What a web application says of itself, in web.xml, fragments and annotations, merged: data, no behaviour. */
@NullMarked
package io.millrace.servlet.model;

import org.jspecify.annotations.NullMarked;
