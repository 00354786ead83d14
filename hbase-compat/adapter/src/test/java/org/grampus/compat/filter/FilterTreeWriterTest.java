package org.grampus.compat.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HBase's own filter objects, as they serialize themselves, read back by the engine's grammar. */
class FilterTreeWriterTest {
  private static final byte[] F = b("f");
  private static final byte[] Q = b("q");

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  private static SingleColumnValueFilter scv() {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, Q, CompareOperator.GREATER, b("v"));
    filter.setFilterIfMissing(true);
    return filter;
  }

  /** HBase sorts the lists that it is given. */
  private static <T> List<T> modifiable(List<T> list) {
    return new ArrayList<>(list);
  }

  static Stream<Arguments> filters() {
    return Stream.of(
        Arguments.of(
            new RowFilter(CompareOperator.LESS, new BinaryComparator(b("r"))), "row op0 binary r"),
        Arguments.of(
            new FamilyFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(b("p"))),
            "family op2 binary-prefix p"),
        Arguments.of(
            new QualifierFilter(CompareOperator.NOT_EQUAL, new SubstringComparator("AbC")),
            "qualifier op3 substring abc"),
        Arguments.of(
            new ValueFilter(CompareOperator.EQUAL, new RegexStringComparator("a.*b", 2)),
            "value op2 regex a.*b 2 UTF-8 0"),
        Arguments.of(
            new DependentColumnFilter(F, Q, true, CompareOperator.LESS, new LongComparator(-5)),
            "dependent f:q drop1 op0 long -5"),
        Arguments.of(new DependentColumnFilter(F, Q), "dependent f:q drop0 op6"),
        Arguments.of(scv(), "scv f:q op5 binary v missing1 latest1"),
        Arguments.of(
            new SingleColumnValueExcludeFilter(
                F, Q, CompareOperator.EQUAL, new BigDecimalComparator(new BigDecimal("12.34"))),
            "scve f:q op2 decimal 2/2 missing0 latest1"),
        Arguments.of(
            new ColumnValueFilter(F, Q, CompareOperator.EQUAL, new NullComparator()),
            "cv f:q op2 null"),
        Arguments.of(new PrefixFilter(b("p")), "prefix p"),
        Arguments.of(new InclusiveStopFilter(b("s")), "inclusive-stop s"),
        Arguments.of(new PageFilter(5_000_000_000L), "page 5000000000"),
        Arguments.of(new ColumnCountGetFilter(3), "count 3"),
        Arguments.of(new ColumnPaginationFilter(3, 4), "page-columns 3+4 0"),
        Arguments.of(new ColumnPaginationFilter(3, b("from")), "page-columns 3+0 1from"),
        Arguments.of(new ColumnPrefixFilter(b("p")), "column-prefix p"),
        Arguments.of(
            new MultipleColumnPrefixFilter(new byte[][] {b("z"), b("a")}), "column-prefixes [a,z]"),
        Arguments.of(new ColumnRangeFilter(b("a"), true, b("z"), false), "columns 7 a..z"),
        Arguments.of(new ColumnRangeFilter(null, false, b("z"), true), "columns 12 ..z"),
        Arguments.of(new FirstKeyOnlyFilter(), "first-key"),
        Arguments.of(new KeyOnlyFilter(true), "key-only 1"),
        Arguments.of(new TimestampsFilter(List.of(9L, 3L), true), "timestamps [3,9] 1"),
        Arguments.of(
            new FuzzyRowFilter(modifiable(List.of(new Pair<>(b("a?"), new byte[] {0, 1})))),
            "fuzzy [a?/2] 1"),
        Arguments.of(
            new MultiRowRangeFilter(
                modifiable(
                    List.of(
                        new MultiRowRangeFilter.RowRange("m", true, "p", false),
                        new MultiRowRangeFilter.RowRange("a", true, "c", true)))),
            "ranges [a1..c1,m1..p0]"),
        Arguments.of(new RandomRowFilter(0.25f), "random 0.25"),
        Arguments.of(
            new SkipFilter(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("0")))),
            "skip(value op2 binary 0)"),
        Arguments.of(
            new FilterList(
                FilterList.Operator.MUST_PASS_ONE,
                new WhileMatchFilter(new PageFilter(120)),
                new FilterList(new PrefixFilter(b("x")))),
            "one[while(page 120),all[prefix x]]"),
        Arguments.of(
            new ValueFilter(
                CompareOperator.EQUAL, new BitComparator(b("m"), BitComparator.BitwiseOp.XOR)),
            "value op2 bit m 3"),
        Arguments.of(
            new ValueFilter(CompareOperator.EQUAL, new BinaryComponentComparator(b("c"), 7)),
            "value op2 component c@7"));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void filterIsWrittenByTheGrammar(Filter filter, String expected) throws IOException {
    ByteBuf out = Unpooled.directBuffer();
    boolean filtersRows = FilterTreeWriter.write(ProtobufUtil.toFilter(filter), out);
    assertEquals(expected, FilterTreeReader.read(out));
    assertEquals(filter.hasFilterRow(), filtersRows, "hasFilterRow");
    out.release();
  }

  private static void assertRefused(FilterProtos.Filter filter, String text) {
    ByteBuf out = Unpooled.directBuffer();
    DoNotRetryIOException error =
        assertThrows(DoNotRetryIOException.class, () -> FilterTreeWriter.write(filter, out));
    assertTrue(error.getMessage().contains(text), error.getMessage());
    out.release();
  }

  @Test
  void unknownFilterIsNamed() {
    assertRefused(
        FilterProtos.Filter.newBuilder().setName("com.example.MyFilter").build(),
        "com.example.MyFilter");
  }

  @Test
  void malformedFieldsAreRefused() {
    assertRefused(
        FilterProtos.Filter.newBuilder()
            .setName(PageFilter.class.getName())
            .setSerializedFilter(ByteString.copyFromUtf8("nonsense"))
            .build(),
        "Malformed");
  }

  @Test
  void unknownComparatorIsNamed() throws IOException {
    ByteArrayComparable comparator = new BinaryComparator(b("x"));
    FilterProtos.Filter good =
        ProtobufUtil.toFilter(new RowFilter(CompareOperator.EQUAL, comparator));
    String bytes = good.getSerializedFilter().toString(StandardCharsets.ISO_8859_1);
    assertRefused(
        good.toBuilder()
            .setSerializedFilter(
                ByteString.copyFrom(
                    bytes.replace("BinaryComparator", "BinaryComparatoX"),
                    StandardCharsets.ISO_8859_1))
            .build(),
        "BinaryComparatoX");
  }

  @Test
  void nestingIsLimited() throws IOException {
    Filter filter = new PrefixFilter(b("p"));
    for (int i = 1; i < FilterTreeWriter.MAX_DEPTH; i++) {
      filter = new SkipFilter(filter);
    }
    ByteBuf out = Unpooled.directBuffer();
    FilterTreeWriter.write(ProtobufUtil.toFilter(filter), out);
    out.release();
    assertRefused(ProtobufUtil.toFilter(new SkipFilter(filter)), "nested");
  }
}
