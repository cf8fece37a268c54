package io.millrace.files;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How files are described to clients.
 *
 * @param types the content type of a file name; null if it is unknown
 * @param precompressed the kinds of precompressed files, in order of preference
 * @param ranges whether range requests are supported
 * @param strongTags whether entity tags are strong where that is safe; otherwise they are weak, like Tomcat's
 */
public record FileRules(
        Function<String, @Nullable String> types,
        List<Precompressed> precompressed,
        boolean ranges,
        boolean strongTags) {

    Representation plain(ServedFile file, boolean negotiated) {
        return of(file, null, file, negotiated);
    }

    Representation compressed(ServedFile sibling, String coding, ServedFile plain) {
        return of(sibling, coding, plain, true);
    }

    private Representation of(ServedFile file, @Nullable String coding, ServedFile plain, boolean negotiated) {
        String type = types.apply(plain.name());
        Validators validators = strongTags ? Validators.of(file, coding) : Validators.weak(file, coding);
        return new Representation(file, coding, type == null ? "" : type, validators, ranges, negotiated);
    }
}
