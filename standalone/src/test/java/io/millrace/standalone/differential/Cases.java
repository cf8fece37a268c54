package io.millrace.standalone.differential;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** All cases, generated from tables of spellings, dispatches and statements. */
public final class Cases {

    private final List<Case> all = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private Cases() {}

    /** Every case, in an order that is always the same. */
    public static List<Case> all() {
        Cases cases = new Cases();
        PathCases.addTo(cases);
        DispatchCases.addTo(cases);
        AsyncCases.addTo(cases);
        ResponseCases.addTo(cases);
        RequestCases.addTo(cases);
        ContextCases.addTo(cases);
        SecurityCases.addTo(cases);
        FileCases.addTo(cases);
        PageCases.addTo(cases);
        return cases.all;
    }

    /** Those whose answers are recorded: guards, spellings of paths, and the table of dispatches; a part of each. */
    public static List<Case> recorded() {
        return all().stream().filter(each -> isRecorded(each.name())).toList();
    }

    private static boolean isRecorded(String name) {
        boolean context = List.of("guards/guard ", "guards/pathguard ", "guards/n sp ").stream()
                .anyMatch(name::startsWith);
        boolean guard = context && (name.contains("/admin/x") || name.contains("denied/s.txt"));
        boolean path = name.startsWith("paths/") && name.contains("app/do/x");
        boolean dispatch = name.startsWith("dispatch/") && (name.endsWith(" paths") || name.endsWith(" head"));
        return guard || path || dispatch;
    }

    /** A case of the application at a path. */
    void add(String name, String application, Step... steps) {
        String ascii = name.replace("|", "%7C").replace("*", "%2A").replace("\n", "%0A");
        if (!names.add(ascii)) {
            throw new IllegalArgumentException("two cases are called " + ascii);
        }
        all.add(new Case(ascii, application, List.of(steps)));
    }

    /** Adds a case for each name and script. */
    BiConsumer<String, String> all(String prefix) {
        return (name, script) -> script(prefix + name, script);
    }

    /** A case of the main application whose servlet runs a script. */
    void script(String name, String script) {
        add(name, "/app", Step.get("/app/do/x").run(0, script));
    }
}
