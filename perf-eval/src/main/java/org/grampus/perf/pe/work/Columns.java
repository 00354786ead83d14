package org.grampus.perf.pe.work;

import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.table.TableShape;

/** The families and columns that a test reads or writes. Immutable. */
final class Columns {
  private final byte[][] families;
  private final byte[][] qualifiers;
  private final boolean named;

  private Columns(int families, int columns, boolean named) {
    this.families = new byte[families][];
    for (int family = 0; family < families; family++) {
      this.families[family] = TableShape.family(family);
    }
    this.qualifiers = new byte[columns][];
    for (int column = 0; column < columns; column++) {
      this.qualifiers[column] = TableShape.qualifier(column);
    }
    this.named = named;
  }

  static Columns of(PeOptions options) {
    return of(options, options.values().families());
  }

  static Columns of(PeOptions options, int families) {
    return new Columns(families, options.values().columns(), options.reads().addColumns());
  }

  byte[][] families() {
    return families;
  }

  byte[][] qualifiers() {
    return qualifiers;
  }

  void addTo(Get get) {
    for (byte[] family : families) {
      if (named) {
        for (byte[] qualifier : qualifiers) {
          get.addColumn(family, qualifier);
        }
      } else {
        get.addFamily(family);
      }
    }
  }

  void addTo(Scan scan) {
    for (byte[] family : families) {
      if (named) {
        for (byte[] qualifier : qualifiers) {
          scan.addColumn(family, qualifier);
        }
      } else {
        scan.addFamily(family);
      }
    }
  }
}
