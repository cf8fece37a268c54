package org.apache.catalina.util;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;

/**
 * The version of Tomcat that Millrace is compatible with, where tools look for Tomcat's: by these methods, by what {@link #main} prints, or
 * in {@code ServerInfo.properties}. It uses no other class of Millrace, since {@code lib/catalina.jar} has only this one.
 */
public final class ServerInfo {

    private static final Properties VALUES = new Properties();

    static {
        try (InputStream in = ServerInfo.class.getResourceAsStream("ServerInfo.properties")) {
            if (in != null) {
                VALUES.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ServerInfo() {}

    /** Such as {@code Apache Tomcat/9.0.117 compatible, Millrace 1.0.0}. */
    public static String getServerInfo() {
        String version = millrace();
        return VALUES.getProperty("server.info", "Millrace") + (version.isEmpty() ? "" : " " + version);
    }

    /** In Tomcat the date of its build; here {@code Millrace} and its version. */
    public static String getServerBuilt() {
        return ("Millrace " + millrace()).strip();
    }

    /** Four numbers, such as {@code 9.0.117.0}. */
    public static String getServerNumber() {
        return VALUES.getProperty("server.number", "9.0.0.0");
    }

    /** From the manifest, which a class directory lacks; that of {@code lib/catalina.jar} has Tomcat's version. */
    private static String millrace() {
        String version = ServerInfo.class.getPackage().getImplementationVersion();
        return VALUES.getProperty("millrace.version", version == null ? "" : version);
    }

    /** What {@link #main} prints. */
    public static List<String> lines() {
        return List.of(
                "Server version: " + getServerInfo(),
                "Server built:   " + getServerBuilt(),
                "Server number:  " + getServerNumber(),
                "OS Name:        " + System.getProperty("os.name"),
                "OS Version:     " + System.getProperty("os.version"),
                "Architecture:   " + System.getProperty("os.arch"),
                "JVM Version:    " + System.getProperty("java.runtime.version"),
                "JVM Vendor:     " + System.getProperty("java.vm.vendor"));
    }

    /** Prints the versions as Tomcat's class of this name does. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        lines().forEach(out::println);
    }
}
