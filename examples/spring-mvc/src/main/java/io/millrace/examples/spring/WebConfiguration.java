package io.millrace.examples.spring;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.multipart.support.StandardServletMultipartResolver;
import org.springframework.web.servlet.config.annotation.AsyncSupportConfigurer;
import org.springframework.web.servlet.config.annotation.DefaultServletHandlerConfigurer;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.ViewResolverRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** JSP pages, the container's multipart parser, and static files from the container's servlet named "default". */
@Configuration
@EnableWebMvc
@Import({GuestController.class, GuestApi.class, UploadController.class, UploadRefusal.class})
class WebConfiguration implements WebMvcConfigurer {

    @Bean
    StandardServletMultipartResolver multipartResolver() {
        return new StandardServletMultipartResolver();
    }

    @Bean
    ThreadPoolTaskExecutor executor() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setThreadNamePrefix("spring-");
        executor.setCorePoolSize(1);
        return executor;
    }

    @Override
    public void configureAsyncSupport(AsyncSupportConfigurer async) {
        async.setTaskExecutor(executor());
    }

    @Override
    public void configureViewResolvers(ViewResolverRegistry views) {
        views.jsp("/WEB-INF/pages/", ".jsp");
    }

    @Override
    public void configureDefaultServletHandling(DefaultServletHandlerConfigurer files) {
        files.enable();
    }
}
