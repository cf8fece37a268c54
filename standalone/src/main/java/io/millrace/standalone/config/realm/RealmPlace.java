package io.millrace.standalone.config.realm;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.util.List;

/**
 * What a Realm may refer to.
 *
 * @param global the Resource elements of GlobalNamingResources
 * @param own the elements of the Context whose realm it is, for those with localDataSource
 * @param base the directory to which relative paths are relative
 * @param problems of the Realm's file
 */
record RealmPlace(List<Element> global, List<Element> own, Path base, Problems problems) {}
