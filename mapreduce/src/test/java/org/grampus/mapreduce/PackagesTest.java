package org.grampus.mapreduce;

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

/** Which package of the jobs may use which. */
@AnalyzeClasses(
    packages = "org.grampus.mapreduce",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  private static final String JOBS = "org.grampus.mapreduce.";

  @ArchTest
  static final ArchRule NO_CIRCLES =
      slices().matching("org.grampus.mapreduce.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule SNAPSHOTS_AND_SETTINGS_STAND_ALONE =
      slices()
          .matching("org.grampus.mapreduce.(files|settings|snapshot)")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule COMMANDS_STAND_ALONE =
      slices().matching("org.grampus.mapreduce.(download|imports)").should().notDependOnEachOther();

  @ArchTest static final ArchRule RECORDS_KNOW_FILES_ALONE = only("source", "files");

  @ArchTest static final ArchRule ROWS_KNOW_RECORDS_ALONE = only("row", "source", "files");

  @ArchTest static final ArchRule KEYS_STAND_ALONE = only("keys");

  @ArchTest
  static final ArchRule COMMANDS_SHARE_FILES_AND_SETTINGS_ALONE =
      only("command", "files", "keys", "settings");

  @ArchTest
  static final ArchRule NOTHING_KNOWS_THE_OLD_API =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.grampus.mapreduce.mapred")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.grampus.mapreduce.mapred");

  /** A package uses, of the jobs' packages, itself and some others. */
  private static ArchRule only(String user, String... used) {
    return noClasses()
        .that()
        .resideInAPackage(JOBS + user)
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.grampus.mapreduce..")
                .and(not(resideInAPackage(JOBS + user)))
                .and(
                    not(
                        resideInAnyPackage(
                            Stream.of(used).map(JOBS::concat).toArray(String[]::new)))));
  }
}
