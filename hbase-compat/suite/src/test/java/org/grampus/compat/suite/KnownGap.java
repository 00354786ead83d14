package org.grampus.compat.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of what a client gets where Grampus does not do what HBase does. It runs on Grampus only.
 * {@link CompatMatrixTest} compares these tests with {@code docs/compat-matrix.md}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("known-gap")
@ExtendWith(OnGrampusOnly.class)
@interface KnownGap {
  /**
   * Rows of the matrix: the section's heading, {@code ": "}, and the row's first cell that is no
   * state, or its beginning.
   */
  String[] value();
}
