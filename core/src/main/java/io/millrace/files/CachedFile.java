package io.millrace.files;

import io.millrace.http.AcceptEncoding;
import io.millrace.http.Headers;
import java.util.ArrayList;
import java.util.List;

/** What a path stood for when it was last looked at: a file and its compressed siblings. Any thread. */
final class CachedFile {

    private final String key;
    private final List<Representation> forms;
    private final List<String> codings;

    /** It had not changed for a while when it was looked at: with its size and time it keeps its content. */
    private final boolean rested;

    /** When it was looked at; {@link System#nanoTime}. */
    private volatile long checkedAt;

    /** About how often it was asked for: counted without care, by whoever must not wait. */
    private int accesses;

    /** Asked for since the cache's hand passed last. */
    private volatile boolean recent;

    /**
     * A file just looked at.
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
        rested = forms.stream().allMatch(form -> Validators.isRested(form.file()));
        checkedAt = System.nanoTime();
    }

    String key() {
        return key;
    }

    List<Representation> forms() {
        return forms;
    }

    /** The form that suits the client best. */
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
     * True if nothing of it has changed. What was looked at a moment after a change may have been changed again within the
     * same tick of the clock, without a trace: that is taken for another as soon as the tick is over.
     */
    boolean isSameAs(CachedFile other) {
        boolean same = forms.size() == other.forms.size() && rested == other.rested;
        for (int i = 0; same && i < forms.size(); i++) {
            ServedFile mine = forms.get(i).file();
            ServedFile theirs = other.forms.get(i).file();
            same = mine.stamp().equals(theirs.stamp())
                    && mine.name().equals(theirs.name())
                    && forms.get(i).validators().equals(other.forms.get(i).validators());
        }
        return same;
    }

    long checkedAt() {
        return checkedAt;
    }

    /** It was looked at and found unchanged. */
    void checked() {
        checkedAt = System.nanoTime();
    }

    /** It must be looked at before it is served again. */
    void expire(long freshnessNanos) {
        checkedAt = System.nanoTime() - freshnessNanos - 1;
    }

    /** Asked for once more; how often that is. */
    int accessed() {
        if (!recent) {
            recent = true;
        }
        return ++accesses;
    }

    /** The cache's hand passes: was it asked for since? If not, its accesses are too long ago to count. */
    boolean passed() {
        boolean was = recent;
        recent = false;
        accesses = was ? accesses : 0;
        return was;
    }
}
