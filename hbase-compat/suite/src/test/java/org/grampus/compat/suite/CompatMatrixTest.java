package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The matrix and the tests that are tagged as known gaps say the same. No server runs. */
class CompatMatrixTest {
  private static final Path PAGE = Path.of("../../docs/compat-matrix.md");

  /** Rows about other rows. */
  private static final Set<String> SUMMARIES = Set.of("In one look");

  private static CompatMatrix matrix;
  private static List<String> tags;

  @BeforeAll
  static void readBoth() throws IOException {
    matrix = CompatMatrix.read(PAGE);
    tags =
        new ClassFileImporter()
            .importPackages(CompatMatrixTest.class.getPackageName()).stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.isAnnotatedWith(KnownGap.class))
                .flatMap(CompatMatrixTest::rowsOf)
                .toList();
  }

  private static Stream<String> rowsOf(JavaMethod method) {
    return Arrays.stream(method.getAnnotationOfType(KnownGap.class).value());
  }

  @Test
  void theMatrixIsRead() {
    assertTrue(matrix.rows().size() > 100, () -> matrix.rows().size() + " rows");
    assertEquals("yes", matrix.matching("ClientService: Get").get(0).state());
    assertTrue(matrix.matching("Filters: BigDecimalComparator").get(0).isRefused());
  }

  @Test
  void eachTaggedTestNamesARowThatIsAGap() {
    List<String> wrong = new ArrayList<>();
    for (String tag : tags) {
      List<CompatMatrix.Row> rows = matrix.matching(tag);
      if (rows.size() != 1 || !rows.get(0).isGap()) {
        wrong.add(tag + " names " + rows);
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void eachRowThatIsRefusedHasATaggedTest() {
    Set<String> refused =
        matrix.rows().stream()
            .filter(row -> row.isRefused() && !SUMMARIES.contains(row.heading()))
            .map(CompatMatrix.Row::id)
            .collect(Collectors.toCollection(TreeSet::new));
    tags.forEach(tag -> matrix.matching(tag).forEach(row -> refused.remove(row.id())));
    assertEquals(Set.of(), refused, "refused, and no test shows it");
  }
}
