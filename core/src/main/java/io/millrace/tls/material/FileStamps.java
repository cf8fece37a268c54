package io.millrace.tls.material;

import io.millrace.tls.Keystore;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a host's files at one time: inode, time and size of each, or that it is missing. Symbolic links are followed,
 * because certbot and Kubernetes replace links, not files.
 *
 * @param stamps by path
 */
record FileStamps(Map<Path, String> stamps) {

    static FileStamps of(TlsHost host) {
        Map<Path, String> stamps = new LinkedHashMap<>();
        for (Path file : files(host)) {
            stamps.put(file, stamp(file));
        }
        return new FileStamps(stamps);
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
            return seen.fileKey() + " " + seen.lastModifiedTime() + " " + seen.size();
        } catch (IOException e) {
            return "missing";
        }
    }

    private static List<Path> files(TlsHost host) {
        List<@Nullable Path> files = new ArrayList<>();
        for (TlsCertificate certificate : host.certificates()) {
            if (certificate instanceof TlsCertificate.Pem pem) {
                files.add(pem.certificateFile());
                files.add(pem.keyFile());
                files.add(pem.chainFile());
                files.add(pem.keyPassword().file().orElse(null));
            } else if (certificate instanceof TlsCertificate.Stored stored) {
                add(files, stored.store());
                files.add(stored.keyPassword().file().orElse(null));
            }
        }
        Keystore truststore = host.find(TlsHost.TRUSTSTORE);
        if (truststore != null) {
            add(files, truststore);
        }
        files.add(host.find(TlsHost.CA_CERTIFICATE_FILE));
        files.add(host.find(TlsHost.CERTIFICATE_REVOCATION_LIST_FILE));
        files.addAll(host.ocspResponseFiles());
        List<Path> present = new ArrayList<>();
        for (Path file : files) {
            if (file != null) {
                present.add(file);
            }
        }
        return present;
    }

    private static void add(List<@Nullable Path> files, Keystore store) {
        files.add(store.file());
        files.add(store.password().file().orElse(null));
    }
}
