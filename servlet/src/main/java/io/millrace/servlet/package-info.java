/** The embedding API of web applications: building, deploying and starting them. */
@NullMarked
package io.millrace.servlet;

import org.jspecify.annotations.NullMarked;
