package io.millrace.servlet.files;

import io.millrace.files.DirectoryOrder;
import io.millrace.files.DirectoryPage;
import io.millrace.handler.Page;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.uri.ContextPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.xml.transform.Templates;
import org.jspecify.annotations.Nullable;

/** The page of a directory listing. */
final class Listing {

    private final ResourceTree resources;
    private final DefaultServletSettings settings;
    private final ListingStylesheets stylesheets;
    private final ServletContext context;

    Listing(
            ResourceTree resources,
            DefaultServletSettings settings,
            ListingStylesheets stylesheets,
            ServletContext context) {
        this.resources = resources;
        this.settings = settings;
        this.stylesheets = stylesheets;
        this.context = context;
    }

    /** Sends a listing. The prefix is the part of URLs between the context path and this path. */
    void send(String path, String prefix, HttpServletRequest request, HttpServletResponse response) throws IOException {
        Templates stylesheet = stylesheets.of(path);
        byte[] bytes = stylesheet == null
                ? page(path, prefix, request, response)
                : styled(path, prefix).render(stylesheet);
        response.setContentType(Page.CONTENT_TYPE);
        response.setContentLength(bytes.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(bytes);
        }
    }

    private StyledListing styled(String path, String prefix) throws IOException {
        List<Resource> members = resources.listing(path).stream()
                .filter(member -> !stylesheets.isLocal(member.name()))
                .toList();
        return new StyledListing(ContextPath.decoded(context) + prefix, path)
                .add(members)
                .readme(readme(path));
    }

    private byte[] page(String path, String prefix, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String query = settings.sortListings() ? request.getQueryString() : null;
        DirectoryOrder requested = DirectoryOrder.of(query);
        DirectoryOrder order =
                new DirectoryOrder(requested.column(), requested.descending(), settings.directoriesFirst());
        String readme = readme(path);
        String page = new DirectoryPage(ContextPath.decoded(context) + prefix + path, !path.equals("/"), order)
                .sortable(settings.sortListings())
                .readme(readme)
                .server(settings.showServerInfo() ? context.getServerInfo() : null)
                .render(resources.listing(path));
        if (readme == null && !response.containsHeader(Page.POLICY_FIELD)) {
            response.setHeader(Page.POLICY_FIELD, Page.SECURITY_POLICY);
        }
        return page.getBytes(StandardCharsets.UTF_8);
    }

    private @Nullable String readme(String path) throws IOException {
        String name = settings.readmeFile();
        Resource file = name == null ? null : resources.find(path + name);
        if (file == null || file.isDirectory()) {
            return null;
        }
        try (InputStream in = file.open()) {
            return new String(in.readAllBytes(), settings.fileEncoding());
        }
    }
}
