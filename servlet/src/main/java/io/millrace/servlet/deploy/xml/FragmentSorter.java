package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Sorts fragments (Servlet 3.1, 8.2.2). Where no rule applies, in the order of the JARs' names. */
public final class FragmentSorter {

    /** Before all others, among them, after them. */
    private enum Group {
        FIRST,
        MIDDLE,
        LAST
    }

    private final Map<String, Descriptor> fragments = new LinkedHashMap<>();
    /** The predecessors of each name, including those of before elements. */
    private final Map<String, Set<String>> after = new HashMap<>();

    private FragmentSorter(Collection<Descriptor> descriptors) throws DeploymentException {
        for (Descriptor fragment : descriptors) {
            Descriptor other = fragments.put(key(fragment), fragment);
            if (other != null) {
                throw new DeploymentException(
                        other.source + " and " + fragment.source + " have the same <name> \"" + fragment.name
                                + "\"; remove one of the jars, or add an <absolute-ordering> to WEB-INF/web.xml");
            }
        }
    }

    /** Sorts by the fragments' own ordering elements. */
    public static List<Descriptor> relative(Collection<Descriptor> fragments) throws DeploymentException {
        return new FragmentSorter(fragments).sort();
    }

    /** Sorts by web.xml's list. Fragments that it does not name are excluded, unless it has an others element. */
    public static List<Descriptor> absolute(Collection<Descriptor> fragments, List<String> names) {
        Set<Descriptor> sorted = new LinkedHashSet<>();
        for (String name : names) {
            for (Descriptor fragment : fragments) {
                boolean wanted =
                        name.equals(FragmentOrder.OTHERS) ? !names.contains(fragment.name) : name.equals(fragment.name);
                if (wanted) {
                    sorted.add(fragment);
                }
            }
        }
        return List.copyOf(sorted);
    }

    /** A unique key: the name, or the path of a fragment without a name, which counts as one of the others. */
    private static String key(Descriptor fragment) {
        return fragment.name == null || fragment.name.isEmpty() ? '\0' + fragment.source : fragment.name;
    }

    private List<Descriptor> sort() throws DeploymentException {
        fragments.forEach(this::collectEdges);
        Map<String, Group> groups = groups();
        List<String> pending = new ArrayList<>();
        for (Group group : Group.values()) {
            fragments.keySet().stream().filter(key -> groups.get(key) == group).forEach(pending::add);
        }
        refuseContradictions(groups);
        List<Descriptor> sorted = new ArrayList<>();
        while (!pending.isEmpty()) {
            String next = nextOf(pending);
            pending.remove(next);
            Descriptor fragment = fragments.get(next);
            if (fragment != null) {
                sorted.add(fragment);
            }
        }
        return sorted;
    }

    private void collectEdges(String key, Descriptor fragment) {
        for (String name : fragment.order.after) {
            if (fragments.containsKey(name)) {
                predecessors(key).add(name);
            }
        }
        for (String name : fragment.order.before) {
            if (fragments.containsKey(name)) {
                predecessors(name).add(key);
            }
        }
    }

    private Set<String> predecessors(String key) {
        return after.computeIfAbsent(key, any -> new LinkedHashSet<>());
    }

    /** A predecessor of a member of FIRST is in FIRST too; likewise for successors in LAST. */
    private Map<String, Group> groups() throws DeploymentException {
        Map<String, Group> groups = new HashMap<>();
        fragments.forEach((key, fragment) -> groups.put(key, own(fragment)));
        for (int round = 0; round < fragments.size(); round++) {
            for (String key : fragments.keySet()) {
                for (String predecessor : predecessors(key)) {
                    if (groups.get(key) == Group.FIRST && groups.get(predecessor) == Group.MIDDLE) {
                        groups.put(predecessor, Group.FIRST);
                    }
                    if (groups.get(predecessor) == Group.LAST && groups.get(key) == Group.MIDDLE) {
                        groups.put(key, Group.LAST);
                    }
                }
            }
        }
        return groups;
    }

    private static Group own(Descriptor fragment) {
        if (fragment.order.before.contains(FragmentOrder.OTHERS)) {
            return Group.FIRST;
        }
        return fragment.order.after.contains(FragmentOrder.OTHERS) ? Group.LAST : Group.MIDDLE;
    }

    private void refuseContradictions(Map<String, Group> groups) throws DeploymentException {
        for (String key : fragments.keySet()) {
            for (String predecessor : predecessors(key)) {
                if (groups.getOrDefault(predecessor, Group.MIDDLE).compareTo(groups.getOrDefault(key, Group.MIDDLE))
                        > 0) {
                    throw circle(List.of(predecessor, key));
                }
            }
        }
    }

    /** The first whose predecessors are all sorted. */
    private String nextOf(List<String> pending) throws DeploymentException {
        for (String key : pending) {
            if (predecessors(key).stream().noneMatch(pending::contains)) {
                return key;
            }
        }
        throw circle(pending);
    }

    private DeploymentException circle(Collection<String> keys) {
        String names = keys.stream()
                .filter(key -> !predecessors(key).isEmpty() || keys.size() == 2)
                .map(key -> '"' + key.replace("\0", "") + '"')
                .collect(Collectors.joining(" and "));
        return new DeploymentException("the <ordering> elements of the web fragments " + names
                + " contradict each other; add an <absolute-ordering> to WEB-INF/web.xml");
    }
}
