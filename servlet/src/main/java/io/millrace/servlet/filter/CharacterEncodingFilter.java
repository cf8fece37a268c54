package io.millrace.servlet.filter;

import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Sets the encoding of parameters if the client does not, with the init-params of Tomcat's {@code SetCharacterEncodingFilter}:
 * {@code encoding}, and {@code ignore} to override the client's.
 */
public final class CharacterEncodingFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    private @Nullable String encoding;
    private boolean overrules;

    @Override
    public void init() throws ServletException {
        FilterParameters parameters = FilterParameters.lenient(getFilterConfig(), "encoding", "ignore");
        encoding = parameters.text("encoding");
        overrules = parameters.flag("ignore", false);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (encoding != null && (overrules || request.getCharacterEncoding() == null)) {
            request.setCharacterEncoding(encoding);
        }
        chain.doFilter(request, response);
    }
}
