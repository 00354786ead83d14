package org.grampus.mapreduce.columns;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.FamilyColumns;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.mapreduce.input.WaitingCalls;
import org.grampus.mapreduce.snapshot.FrozenRegions;
import org.grampus.mapreduce.snapshot.Snapshot;
import org.grampus.mapreduce.snapshot.SnapshotRegion;

/** The columns that a snapshot's files have, for a reader that names none. Any thread. */
public final class FoundColumns {
  /** More make no table that a program would want to open. */
  private static final int MAX = 10_000;

  private final Snapshot snapshot;
  private final FrozenRegions opener;

  /** The name that each column would get, by the column as a mapping has it. */
  private final Map<String, String> names = new ConcurrentHashMap<>();

  private FoundColumns(Configuration conf, Snapshot snapshot) throws IOException {
    this.snapshot = snapshot;
    this.opener = new FrozenRegions(conf, snapshot.table());
  }

  /**
   * The mapping of all columns, as bytes, by family and qualifier.
   *
   * @throws IOException when there are too many for a table, or a file cannot be read
   */
  public static String mapping(Configuration conf, Snapshot snapshot) throws IOException {
    FoundColumns found = new FoundColumns(conf, snapshot);
    List<SnapshotRegion> regions = snapshot.regions();
    WaitingCalls.each(regions.size(), index -> found.addThoseOf(regions.get(index)));
    if (found.names.isEmpty()) {
      return ":key"; // a table without cells has no rows either
    }
    return text(new TreeMap<>(found.names));
  }

  private void addThoseOf(SnapshotRegion region) throws IOException {
    try (NativeFrozenRegion open = opener.open(region)) {
      for (FamilyColumns family : open.columns(MAX)) {
        if (!family.complete()) {
          throw tooMany();
        }
        add(family);
      }
    } catch (EngineException e) {
      throw ErrorAdapter.adapt(
          "cannot list the columns of " + region.info().getRegionNameAsString(), e);
    }
    if (names.size() > MAX) {
      throw tooMany();
    }
  }

  private void add(FamilyColumns family) {
    String inFamily = escaped(family.family());
    for (byte[] qualifier : family.qualifiers()) {
      String column = escaped(qualifier);
      names.put(inFamily + ":" + column, column.isEmpty() ? inFamily : inFamily + "_" + column);
    }
  }

  /** Columns that would have the same name are numbered: a:b_c and a_b:c are both a_b_c. */
  private static String text(Map<String, String> names) {
    Set<String> given = new HashSet<>();
    StringJoiner text = new StringJoiner(",");
    names.forEach(
        (column, name) -> {
          String distinct = name;
          for (int n = 2; !given.add(distinct); n++) {
            distinct = name + "_" + n;
          }
          text.add(distinct.equals(name) ? column : column + "=" + distinct);
        });
    return text.toString();
  }

  private IOException tooMany() {
    return new IOException(
        snapshot.table().getTableName()
            + " has more than "
            + MAX
            + " columns; name some, as with --columns, or take all cells with '*'");
  }

  /** Bytes as a mapping has them: whatever could mean something is {@code \xNN}. */
  private static String escaped(byte[] name) {
    StringBuilder text = new StringBuilder();
    for (byte value : name) {
      boolean plain = value > ' ' && value < 0x7F && ",=\\:*$".indexOf(value) < 0;
      text.append(plain ? String.valueOf((char) value) : String.format("\\x%02X", value));
    }
    return text.toString();
  }
}
