package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.suite.target.ServerKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * MutateRows: the kinds of mutations that it takes, and its conditions, whose rules are other ones
 * than those of checkAndMutate.
 */
class MultiRowMutationTest extends CompatTest {
  private static final Set<CompareOperator> OPERATORS =
      EnumSet.complementOf(EnumSet.of(CompareOperator.NO_OP));

  /** Values that a condition may meet, by the name of their row. */
  private static final Map<String, String> STORED =
      Map.of("empty", "", "less", "a", "equal", "m", "greater", "z");

  private static final List<String> ROWS = List.of("absent", "empty", "less", "equal", "greater");

  private int calls;

  @Override
  List<ColumnFamilyDescriptor> families() {
    return List.of();
  }

  /** Grampus has the endpoint for every table and loads none; HBase loads it for those that ask. */
  @BeforeEach
  void createTable() throws IOException {
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(name).setColumnFamilies(super.families());
    if (SharedServer.kind() == ServerKind.HBASE) {
      descriptor.setCoprocessor(MultiRowMutationEndpoint.class.getName());
    }
    admin.createTable(descriptor.build());
  }

  /** Writes two rows under conditions; returns whether it did. */
  private boolean mutateRows(Condition... conditions) throws Exception {
    List<byte[]> written = List.of(b("x" + calls), b("y" + calls++));
    MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
    for (byte[] row : written) {
      Put put = new Put(row).addColumn(F, Q, row);
      request.addMutationRequest(proto(MutationType.PUT, put));
    }
    for (Condition condition : conditions) {
      request.addCondition(
          org.apache.hadoop.hbase.protobuf.generated.ClientProtos.Condition.parseFrom(
              condition.toByteArray()));
    }
    boolean processed =
        MultiRowMutationService.newBlockingStub(table.coprocessorService(written.get(0)))
            .mutateRows(null, request.build())
            .getProcessed();
    for (byte[] row : written) {
      assertEquals(processed, table.exists(new Get(row)));
    }
    return processed;
  }

  /** In the message of the client's own protobuf, which endpoints speak. */
  private static MutationProto proto(MutationType type, Mutation mutation) throws IOException {
    return MutationProto.parseFrom(ProtobufUtil.toMutation(type, mutation).toByteArray());
  }

  private static Condition.Builder on(String row) {
    return Condition.newBuilder().setRow(ByteString.copyFromUtf8(row));
  }

  private static Condition compared(
      String row, CompareOperator operator, ByteArrayComparable comparator) throws IOException {
    return on(row)
        .setFamily(ByteString.copyFrom(F))
        .setQualifier(ByteString.copyFrom(Q))
        .setCompareType(CompareType.valueOf(operator.name()))
        .setComparator(ProtobufUtil.toComparator(comparator))
        .build();
  }

  private boolean holds(String row, Filter filter) throws Exception {
    return mutateRows(on(row).setFilter(ProtobufUtil.toFilter(filter)).build());
  }

  private void putValues() throws IOException {
    for (var stored : STORED.entrySet()) {
      table.put(new Put(b(stored.getKey())).addColumn(F, Q, b(stored.getValue())));
    }
  }

  /** For each operator the rows whose value meets it. */
  private List<String> met(ByteArrayComparable comparator) throws Exception {
    List<String> lines = new ArrayList<>();
    for (CompareOperator operator : OPERATORS) {
      StringJoiner line = new StringJoiner(" ").add(operator + ":");
      for (String row : ROWS) {
        if (mutateRows(compared(row, operator, comparator))) {
          line.add(row);
        }
      }
      lines.add(line.toString());
    }
    return lines;
  }

  /** A request holds increments and appends as well as puts and deletes. */
  @Test
  void everyKindOfMutationIsTaken() throws Exception {
    table.put(new Put(b("row1")).addColumn(F, Q, Bytes.toBytes(40L)));
    table.put(new Put(b("row2")).addColumn(F, Q, b("for")));
    table.put(new Put(b("row3")).addColumn(F, Q, b("gone")));
    MutateRowsRequest request =
        MutateRowsRequest.newBuilder()
            .addMutationRequest(
                proto(MutationType.INCREMENT, new Increment(b("row1")).addColumn(F, Q, 2)))
            .addMutationRequest(
                proto(MutationType.APPEND, new Append(b("row2")).addColumn(F, Q, b("ty"))))
            .addMutationRequest(proto(MutationType.DELETE, new Delete(b("row3"))))
            .addMutationRequest(
                proto(MutationType.PUT, new Put(b("row4")).addColumn(F, Q, b("new"))))
            .build();
    MultiRowMutationService.newBlockingStub(table.coprocessorService(b("row1")))
        .mutateRows(null, request);
    assertEquals(42, Bytes.toLong(stored("row1")));
    assertEquals("forty", Bytes.toString(stored("row2")));
    assertNull(stored("row3"));
    assertEquals("new", Bytes.toString(stored("row4")));
  }

  private byte[] stored(String row) throws IOException {
    return table.get(new Get(b(row))).getValue(F, Q);
  }

  @Test
  void aGivenValueIsComparedWithTheStoredOne() throws Exception {
    putValues();
    assertEquals(
        List.of(
            "LESS: greater",
            "LESS_OR_EQUAL: equal greater",
            "EQUAL: equal",
            "NOT_EQUAL: empty less greater",
            "GREATER_OR_EQUAL: empty less equal",
            "GREATER: empty less"),
        met(new BinaryComparator(b("m"))));
  }

  @Test
  void anEmptyValueWantsNothingThereWhateverTheOperator() throws Exception {
    putValues();
    List<String> expected =
        OPERATORS.stream().map(operator -> operator + ": absent empty").toList();
    assertEquals(expected, met(new BinaryComparator(new byte[0])));
    assertEquals(expected, met(new NullComparator()));
    assertEquals(expected, met(new SubstringComparator("")));
  }

  @Test
  void theComparatorItselfCompares() throws Exception {
    putValues();
    List<String> equalAlone =
        List.of(
            "LESS:",
            "LESS_OR_EQUAL: equal",
            "EQUAL: equal",
            "NOT_EQUAL: empty less greater",
            "GREATER_OR_EQUAL: empty less equal greater",
            "GREATER: empty less greater");
    assertEquals(equalAlone, met(new SubstringComparator("M")));
    assertEquals(equalAlone, met(new RegexStringComparator("^[k-n]$")));
    assertEquals(equalAlone, met(new RegexStringComparator("(?=m)m")));
  }

  @Test
  void prefixesPartsBitsAndNumbersAreCompared() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, b("abcd")));
    table.put(new Put(b("n")).addColumn(F, Q, Bytes.toBytes(7L)));
    assertTrue(
        mutateRows(compared("r", CompareOperator.EQUAL, new BinaryPrefixComparator(b("ab")))));
    assertFalse(
        mutateRows(compared("r", CompareOperator.NOT_EQUAL, new BinaryPrefixComparator(b("ab")))));
    assertTrue(
        mutateRows(
            compared("r", CompareOperator.EQUAL, new BinaryComponentComparator(b("cd"), 2))));
    assertTrue(
        mutateRows(
            compared(
                "r",
                CompareOperator.EQUAL,
                new BitComparator(b("abcd"), BitComparator.BitwiseOp.AND))));
    assertFalse(
        mutateRows(
            compared(
                "r",
                CompareOperator.EQUAL,
                new BitComparator(b("abcd"), BitComparator.BitwiseOp.XOR))));
    assertTrue(mutateRows(compared("n", CompareOperator.LESS, new LongComparator(-1))));
    assertFalse(mutateRows(compared("n", CompareOperator.GREATER, new LongComparator(7))));
  }

  @Test
  void theNewestCellOfTheTimeRangeCounts() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, 10, b("m")));
    table.put(new Put(b("r")).addColumn(F, Q, 20, b("")));
    Condition newest = compared("r", CompareOperator.EQUAL, new BinaryComparator(b("m")));
    Condition nothing = compared("r", CompareOperator.EQUAL, new NullComparator());
    assertFalse(mutateRows(newest));
    assertTrue(mutateRows(nothing));
    TimeRange first = TimeRange.between(5, 15);
    assertTrue(
        mutateRows(newest.toBuilder().setTimeRange(ProtobufUtil.toTimeRange(first)).build()));
    assertFalse(
        mutateRows(nothing.toBuilder().setTimeRange(ProtobufUtil.toTimeRange(first)).build()));
    Filter any = new FilterList();
    Condition seen =
        on("r")
            .setFilter(ProtobufUtil.toFilter(any))
            .setTimeRange(ProtobufUtil.toTimeRange(TimeRange.between(30, 40)))
            .build();
    assertFalse(mutateRows(seen));
  }

  @Test
  void allConditionsMustHold() throws Exception {
    putValues();
    Condition holds = compared("equal", CompareOperator.EQUAL, new BinaryComparator(b("m")));
    Condition fails = compared("less", CompareOperator.EQUAL, new BinaryComparator(b("m")));
    assertTrue(mutateRows(holds, holds));
    assertFalse(mutateRows(holds, fails));
    assertFalse(mutateRows(fails, holds));
  }

  @Test
  void aFilterHoldsWhereAGetWithItFindsACell() throws Exception {
    for (long version = 1; version <= 2; version++) {
      table.put(
          new Put(b("r"))
              .addColumn(F, b("a"), version, b("1" + version))
              .addColumn(F, b("b"), version, b("2" + version)));
    }
    table.put(new Put(b("r")).addColumn(G, b("c"), b("3")));
    table.put(new Put(b("g")).addColumn(G, b("c"), b("3")));
    StringJoiner found = new StringJoiner(" ");
    for (Filter filter : filters()) {
      StringBuilder rows = new StringBuilder("-");
      for (String row : List.of("r", "g", "none")) {
        boolean exists = !table.get(new Get(b(row)).setFilter(filter)).isEmpty();
        assertEquals(exists, holds(row, filter), row + " " + filter);
        rows.append(exists ? row : "");
      }
      found.add(rows);
    }
    assertEquals(
        "-rg -r -r -rg -g -rg -r -r - -g -rg -r -g - -r - - -r - -rg -rg -rg -rg -r -rg",
        found.toString());
  }

  private static List<Filter> filters() {
    List<Filter> singles =
        List.of(
            new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(G)),
            new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(F)),
            new ColumnRangeFilter(b("b"), true, b("c"), false),
            new ColumnRangeFilter(b("c"), true, null, false),
            new RowFilter(CompareOperator.EQUAL, new BinaryComparator(b("g"))),
            new FirstKeyOnlyFilter(),
            new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("11"))),
            new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("12"))),
            new SkipFilter(
                new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(b("3")))),
            new WhileMatchFilter(
                new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(b("c")))),
            column("12", false),
            column("12", true),
            column("11", false),
            column("11", true),
            new SingleColumnValueExcludeFilter(G, b("c"), CompareOperator.EQUAL, b("3")));
    List<Filter> all = new ArrayList<>(singles);
    for (FilterList.Operator operator : FilterList.Operator.values()) {
      all.add(new FilterList(operator, singles.get(0), singles.get(2), column("12", true)));
      all.add(new FilterList(operator, singles.get(1), singles.get(2), column("12", true)));
      all.add(new FilterList(operator, column("12", true), singles.get(0)));
      all.add(new FilterList(operator, column("11", true), column("12", true)));
      all.add(new FilterList(operator, singles.get(3), column("11", false)));
    }
    return all;
  }

  private static Filter column(String value, boolean filterIfMissing) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, b("a"), CompareOperator.EQUAL, b(value));
    filter.setFilterIfMissing(filterIfMissing);
    return filter;
  }
}
