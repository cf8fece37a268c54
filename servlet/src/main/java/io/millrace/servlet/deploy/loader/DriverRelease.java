package io.millrace.servlet.deploy.loader;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Deregisters an application's JDBC drivers. DriverManager lists and deregisters a driver only for callers whose class loader
 * can load it; so {@link WebAppClassLoader} defines a second copy of this class in the application's class loader.
 */
public final class DriverRelease implements Supplier<List<String>> {

    /** For reflection. */
    public DriverRelease() {}

    /** Deregisters the drivers and returns their class names; a driver that could not be deregistered has the reason added. */
    @Override
    public List<String> get() {
        List<String> names = new ArrayList<>();
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            if (Objects.equals(driver.getClass().getClassLoader(), DriverRelease.class.getClassLoader())) {
                try {
                    DriverManager.deregisterDriver(driver);
                    names.add(driver.getClass().getName());
                } catch (SQLException | SecurityException refused) {
                    names.add(driver.getClass().getName() + " (not: " + refused + ")");
                }
            }
        }
        return names;
    }
}
