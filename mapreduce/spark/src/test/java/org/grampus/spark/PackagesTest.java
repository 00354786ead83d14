package org.grampus.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package may use which, and that no collection of Scala is used. */
@AnalyzeClasses(
    packages = "org.grampus.spark",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  @ArchTest
  static final ArchRule NO_CIRCLES =
      slices().matching("org.grampus.spark.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule WRITES_KNOW_NO_CONDITIONS =
      noClasses()
          .that()
          .resideInAPackage("org.grampus.spark.write")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.grampus.spark.filter", "org.grampus.spark.read");

  /** They differ between the versions of Scala that the one jar serves. */
  @ArchTest
  static final ArchRule NO_COLLECTION_OF_SCALA =
      noClasses().should().dependOnClassesThat().resideInAPackage("scala.collection..");
}
