/** Runs requests through an application: dispatches, asynchronous cycles, upgrades, error pages, files. */
@NullMarked
package io.millrace.servlet.dispatch;

import org.jspecify.annotations.NullMarked;
