package org.grampus.compat;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package of the adapters may use which (docs/design/0034-java-packages.md). */
@AnalyzeClasses(
    packages = "org.grampus.compat",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  @ArchTest
  static final ArchRule NO_CIRCLES =
      slices().matching("org.grampus.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule FILTERS_KNOW_NO_OPERATIONS =
      noClasses()
          .that()
          .resideInAPackage("org.grampus.compat.filter..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.grampus.compat.mutate", "org.grampus.compat.read");

  @ArchTest
  static final ArchRule READS_AND_WRITES_DO_NOT_KNOW_EACH_OTHER =
      slices().matching("org.grampus.compat.(mutate|read)").should().notDependOnEachOther();
}
