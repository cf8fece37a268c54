package io.millrace.servlet.files;

import io.millrace.files.DirectoryOrder;
import io.millrace.files.DirectoryPage;
import io.millrace.handler.Page;
import io.millrace.http.HttpDates;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.uri.ContextPath;
import io.millrace.servlet.uri.UrlEscapes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

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

    /** A listing as XML for Tomcat's stylesheets, and its rendering. */
    private static final class StyledListing {

        private static final int KIB = 1024;

        private final Document document;
        private final Element listing;
        private final Element entries;
        private final String base;

        /**
         * An empty listing.
         *
         * @param base the beginning of directories' URLs
         * @param directory with a trailing slash
         */
        StyledListing(String base, String directory) {
            this.base = base + directory;
            try {
                document = DocumentBuilderFactory.newDefaultInstance()
                        .newDocumentBuilder()
                        .newDocument();
            } catch (ParserConfigurationException e) {
                throw new IllegalStateException("the JDK's XML parser lacks a standard feature", e);
            }
            listing = document.createElement("listing");
            document.appendChild(listing);
            listing.setAttribute("contextPath", base);
            listing.setAttribute("directory", directory);
            listing.setAttribute("hasParent", String.valueOf(directory.length() > 1));
            entries = document.createElement("entries");
            listing.appendChild(entries);
        }

        StyledListing add(List<Resource> members) {
            for (Resource member : members) {
                String name = member.isDirectory() ? member.name() + "/" : member.name();
                Element entry = document.createElement("entry");
                entry.setAttribute("type", member.isDirectory() ? "dir" : "file");
                entry.setAttribute("urlPath", UrlEscapes.encode(base + name));
                if (!member.isDirectory()) {
                    entry.setAttribute("size", size(member.length()));
                }
                entry.setAttribute("date", HttpDates.format(member.lastModified()));
                entry.setTextContent(name);
                entries.appendChild(entry);
            }
            return this;
        }

        StyledListing readme(@Nullable String text) {
            if (text != null) {
                Element readme = document.createElement("readme");
                readme.setTextContent(text);
                listing.appendChild(readme);
            }
            return this;
        }

        /** Renders the listing in UTF-8. */
        byte[] render(Templates stylesheet) throws IOException {
            try {
                Transformer transformer = stylesheet.newTransformer();
                transformer.setErrorListener(new ListingStylesheets.Strict());
                transformer.setURIResolver((href, from) -> {
                    throw new TransformerException("a stylesheet of listings may not read " + href);
                });
                transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                transformer.transform(new DOMSource(document), new StreamResult(out));
                return out.toByteArray();
            } catch (TransformerException e) {
                throw new IOException("the stylesheet of the listing of " + base + " failed: " + e.getMessage(), e);
            }
        }

        /** The size in KiB, rounded to a tenth; 0 only for an empty file. */
        private static String size(long bytes) {
            long tenths = bytes == 0 ? 0 : Math.max(1, Math.round(bytes * 10.0 / KIB));
            return tenths / 10 + "." + tenths % 10 + " KiB";
        }
    }
}
