package org.grampus.perf.pe;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;

/** Which package of PerformanceEvaluation may use which. */
@AnalyzeClasses(
    packages = "org.grampus.perf.pe",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  private static final String PE = "org.grampus.perf.pe.";

  @ArchTest
  static final ArchRule NO_CIRCLES =
      slices().matching("org.grampus.perf.pe.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule CHANCE_STANDS_ALONE = only("chance");

  @ArchTest static final ArchRule MEASURES_STAND_ALONE = only("measure");

  @ArchTest static final ArchRule KEYS_KNOW_CHANCE_ALONE = only("key", "chance");

  @ArchTest static final ArchRule VALUES_KNOW_CHANCE_ALONE = only("value", "chance");

  @ArchTest
  static final ArchRule TABLES_KNOW_OPTIONS_AND_KEYS_ALONE = only("table", "option", "key");

  @ArchTest
  static final ArchRule WORK_KNOWS_NO_CLIENT =
      only("work", "table", "option", "measure", "key", "value", "chance");

  /** A package uses, of these packages, itself and some others. */
  private static ArchRule only(String user, String... used) {
    return noClasses()
        .that()
        .resideInAPackage(PE + user)
        .should()
        .dependOnClassesThat(
            resideInAPackage(PE + "*")
                .and(not(resideInAPackage(PE + user)))
                .and(not(resideInAnyPackage(packages(used)))));
  }

  private static String[] packages(String... names) {
    return Stream.of(names).map(PE::concat).toArray(String[]::new);
  }
}
