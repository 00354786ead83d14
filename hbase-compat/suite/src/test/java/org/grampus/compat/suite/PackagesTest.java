package org.grampus.compat.suite;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The judges of the suite do not lean on each other, and run without a server. */
@AnalyzeClasses(
    packages = "org.grampus.compat.suite",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  @ArchTest
  static final ArchRule NO_CIRCLES =
      slices().matching("org.grampus.compat.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule JUDGES_STAND_ALONE =
      slices()
          .matching("org.grampus.compat.suite.(history|hostile|kill|scan|snapshot)")
          .should()
          .notDependOnEachOther();
}
