package org.grampus.perf.pe;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.grampus.perf.pe.chance.Chance;
import org.grampus.perf.pe.measure.SystemClock;

/** One class looks at the clock and waits by time, and one makes random numbers, from a seed. */
@AnalyzeClasses(
    packages = "org.grampus.perf.pe",
    importOptions = ImportOption.DoNotIncludeTests.class)
class AmbientCallsTest {
  private static final Set<String> FORBIDDEN =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Thread.sleep",
          "java.lang.Math.random",
          "java.util.Random.<init>",
          "java.util.SplittableRandom.<init>",
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.util.concurrent.TimeUnit.sleep",
          "java.time.Instant.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone");

  private static final DescribedPredicate<JavaAccess<?>> AMBIENT =
      new DescribedPredicate<>("the target asks for time, waits or takes a chance") {
        @Override
        public boolean test(JavaAccess<?> access) {
          return FORBIDDEN.contains(
              access.getTargetOwner().getName() + "." + access.getTarget().getName());
        }
      };

  @ArchTest
  static final ArchRule ONLY_CLOCK_AND_CHANCE =
      noClasses()
          .that(not(belongToAnyOf(SystemClock.class, Chance.class)))
          .should(accessTargetWhere(AMBIENT));
}
