/** Objects that applications look up by name: Resource, ResourceLink, Environment, and what becomes of their attributes. */
@NullMarked
package io.millrace.standalone.config.resource;

import org.jspecify.annotations.NullMarked;
