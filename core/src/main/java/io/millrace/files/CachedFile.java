package io.millrace.files;

import io.millrace.http.AcceptEncoding;
import io.millrace.http.Headers;
import java.util.ArrayList;
import java.util.List;

/** A cache entry: a file and its precompressed siblings, as found at the last lookup. Thread-safe. */
final class CachedFile {

    private final String key;
    private final List<Representation> forms;
    private final List<String> codings;

    /** The last modification was so long before the lookup that a change of content also changes the time. */
    private final boolean settled;

    /** The time of the last check; {@link System#nanoTime}. */
    private volatile long checkedAt;

    /** The approximate number of requests; incremented without synchronization. */
    private int accesses;

    /** The reference bit of the clock algorithm: requested since the hand last passed. */
    private volatile boolean referenced;

    /**
     * An entry for a file that was just looked up.
     *
     * @param forms the plain one first
     */
    CachedFile(String key, List<Representation> forms) {
        this.key = key;
        this.forms = forms;
        List<String> found = new ArrayList<>(forms.size());
        for (Representation form : forms) {
            if (form.coding() != null) {
                found.add(form.coding());
            }
        }
        codings = found;
        settled = forms.stream().allMatch(form -> Validators.isSettled(form.file()));
        checkedAt = System.nanoTime();
    }

    String key() {
        return key;
    }

    List<Representation> forms() {
        return forms;
    }

    /** The representation that the client prefers. */
    Representation choose(Headers request) {
        if (!codings.isEmpty() && request.contains("Accept-Encoding")) {
            String best = AcceptEncoding.of(request).best(codings);
            for (int i = 1; best != null && i < forms.size(); i++) {
                if (best.equals(forms.get(i).coding())) {
                    return forms.get(i);
                }
            }
        }
        return forms.get(0);
    }

    /**
     * Whether nothing has changed. A file that was looked up right after a change may have changed again within the same tick of
     * its time, undetectably; such an entry is considered different as soon as the tick is over.
     */
    boolean isSameAs(CachedFile other) {
        boolean same = forms.size() == other.forms.size() && settled == other.settled;
        for (int i = 0; same && i < forms.size(); i++) {
            ServedFile before = forms.get(i).file();
            ServedFile now = other.forms.get(i).file();
            same = before.stamp().equals(now.stamp())
                    && before.name().equals(now.name())
                    && forms.get(i).validators().equals(other.forms.get(i).validators());
        }
        return same;
    }

    long checkedAt() {
        return checkedAt;
    }

    /** The file was checked and is unchanged. */
    void checked() {
        checkedAt = System.nanoTime();
    }

    /** Makes the next request check the file. */
    void expire(long freshnessNanos) {
        checkedAt = System.nanoTime() - freshnessNanos - 1;
    }

    /** Counts a request, and returns the count. */
    int accessed() {
        if (!referenced) {
            referenced = true;
        }
        return ++accesses;
    }

    /** The hand of the clock passes: clears and returns the reference bit. If it was not set, counting restarts. */
    boolean clearReferenced() {
        boolean was = referenced;
        referenced = false;
        accesses = was ? accesses : 0;
        return was;
    }
}
