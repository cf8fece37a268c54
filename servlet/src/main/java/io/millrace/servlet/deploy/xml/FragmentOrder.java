package io.millrace.servlet.deploy.xml;

import java.util.LinkedHashSet;
import java.util.Set;

/** A fragment's ordering element: the names of fragments after and before it (Servlet 3.1, 8.2.2). */
final class FragmentOrder {

    /** Represents the others element. No fragment can have this name. */
    static final String OTHERS = "<others/>";

    final Set<String> before = new LinkedHashSet<>();
    final Set<String> after = new LinkedHashSet<>();
}
