package io.millrace.servlet.files;

import io.millrace.files.Precompressed;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletConfig;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * The init parameters of Tomcat's default servlet, with its names and defaults. Its buffer sizes ({@code input}, {@code output})
 * are ignored.
 *
 * @param sendfileSize in bytes; smaller files are copied; -1: all files are copied
 * @param readmeFile the file of a directory that is shown below its listing
 */
record DefaultServletSettings(
        boolean listings,
        boolean readonly,
        boolean ranges,
        boolean strongTags,
        boolean partialPut,
        boolean postAsGet,
        boolean showServerInfo,
        boolean sortListings,
        boolean directoriesFirst,
        boolean bom,
        long sendfileSize,
        int redirectStatus,
        Charset fileEncoding,
        @Nullable String readmeFile,
        List<Precompressed> precompressed) {

    static final int SENDFILE = 48 * 1024;

    private static final Map<String, String> SUFFIXES = Map.of("br", ".br", "gzip", ".gz", "zstd", ".zst");

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    static DefaultServletSettings of(ServletConfig config) throws ServletException {
        return new DefaultServletSettings(
                flag(config, "listings", false),
                flag(config, "readonly", true),
                flag(config, "useAcceptRanges", true),
                flag(config, "useStrongETags", false),
                flag(config, "allowPartialPut", true),
                flag(config, "allowPostAsGet", true),
                flag(config, "showServerInfo", true),
                flag(config, "sortListings", false),
                flag(config, "sortDirectoriesFirst", false),
                flag(config, "useBomIfPresent", true),
                number(config, "sendfileSize", SENDFILE / 1024) * 1024L,
                redirect(config),
                charset(config),
                config.getInitParameter("readmeFile"),
                precompressed(config));
    }

    /** Whether the kernel may send a file of this size (sendfile). */
    boolean isForKernel(long length) {
        return sendfileSize >= 0 && length >= sendfileSize;
    }

    private static boolean flag(ServletConfig config, String name, boolean otherwise) {
        String value = config.getInitParameter(name);
        return value == null ? otherwise : Boolean.parseBoolean(value.strip());
    }

    private static int number(ServletConfig config, String name, int otherwise) throws ServletException {
        String value = config.getInitParameter(name);
        try {
            return value == null ? otherwise : Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            throw wrong(config, name, value, "a number", e);
        }
    }

    private static int redirect(ServletConfig config) throws ServletException {
        int status = number(config, "directoryRedirectStatusCode", 302);
        if (!REDIRECTS.contains(status)) {
            throw wrong(
                    config, "directoryRedirectStatusCode", String.valueOf(status), "301, 302, 303, 307 or 308", null);
        }
        return status;
    }

    private static Charset charset(ServletConfig config) throws ServletException {
        String name = config.getInitParameter("fileEncoding");
        try {
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(name.strip());
        } catch (IllegalArgumentException e) {
            throw wrong(config, "fileEncoding", name, "a character encoding that the JVM supports", e);
        }
    }

    /** {@code true}, {@code false}, or {@code br=.br,gzip=.gz}. The older parameter {@code gzip} enables only gzip. */
    private static List<Precompressed> precompressed(ServletConfig config) throws ServletException {
        String value = config.getInitParameter("precompressed");
        if (value == null || value.isBlank() || value.strip().equalsIgnoreCase("false")) {
            return flag(config, "gzip", false) ? List.of(new Precompressed("gzip", ".gz")) : List.of();
        }
        if (value.strip().equalsIgnoreCase("true")) {
            return Precompressed.USUAL;
        }
        List<Precompressed> kinds = new ArrayList<>();
        for (String kind : value.split(",", -1)) {
            int equals = kind.indexOf('=');
            String coding = (equals < 0 ? kind : kind.substring(0, equals)).strip();
            String suffix = equals < 0
                    ? SUFFIXES.get(coding)
                    : kind.substring(equals + 1).strip();
            if (suffix == null || coding.isEmpty() || !suffix.startsWith(".")) {
                throw wrong(config, "precompressed", value, "true, false, or pairs like br=.br,gzip=.gz", null);
            }
            kinds.add(new Precompressed(coding, suffix));
        }
        return kinds;
    }

    private static ServletException wrong(
            ServletConfig config, String name, @Nullable String value, String expected, @Nullable Throwable cause) {
        return new ServletException(
                "servlet \"" + config.getServletName() + "\": " + name + " is \"" + value + "\"; expected " + expected,
                cause);
    }
}
