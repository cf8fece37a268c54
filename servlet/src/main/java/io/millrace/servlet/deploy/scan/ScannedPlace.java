package io.millrace.servlet.deploy.scan;

import java.util.List;
import org.jboss.jandex.Index;

/**
 * What a scan of WEB-INF/classes or of a jar found. Nothing here depends on the rest of the application, but on what
 * was looked for: so it can be kept between starts.
 *
 * @param index the classes that mention an annotation that matters
 * @param headers of all classes; empty if no initializer asks for types
 */
public record ScannedPlace(Index index, List<ClassHeader> headers) {}
