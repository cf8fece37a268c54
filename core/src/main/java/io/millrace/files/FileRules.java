package io.millrace.files;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How files are described to clients.
 *
 * @param types the content type of a file by its name; null if it is not known
 * @param precompressed which siblings may be sent instead of a file, the best first
 * @param ranges may clients ask for pieces?
 * @param strongTags entity tags are strong where that is safe; otherwise weak, as Tomcat's are
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
