package org.grampus.mapreduce;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package of the jobs may use which. */
@AnalyzeClasses(
    packages = "org.grampus.mapreduce",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  @ArchTest
  static final ArchRule NO_CIRCLES =
      slices().matching("org.grampus.mapreduce.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule SNAPSHOTS_AND_SETTINGS_STAND_ALONE =
      slices()
          .matching("org.grampus.mapreduce.(job|settings|snapshot)")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule NOTHING_KNOWS_THE_OLD_API =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.grampus.mapreduce.mapred")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.grampus.mapreduce.mapred");
}
