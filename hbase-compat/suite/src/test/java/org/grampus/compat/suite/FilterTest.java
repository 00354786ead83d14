package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FilterTest extends CompatTest {
  @BeforeEach
  void fill() throws Exception {
    for (String row : List.of("aa", "ab", "ba", "bb")) {
      table.put(
          new Put(b(row))
              .addColumn(F, b("one"), 1, b("v1" + row))
              .addColumn(F, b("two"), 2, b("v2"))
              .addColumn(G, b("three"), 3, b("v3")));
    }
    table.put(new Put(b("cc")).addColumn(F, b("two"), 2, b("other")));
  }

  private String rows(Filter filter) throws Exception {
    return rows(new Scan().setFilter(filter));
  }

  private String cells(Filter filter, String row) throws Exception {
    return show(new Scan().withStartRow(b(row)).withStopRow(b(row), true).setFilter(filter));
  }

  @Test
  void rowFilters() throws Exception {
    assertEquals("ab", rows(new RowFilter(CompareOperator.EQUAL, new BinaryComparator(b("ab")))));
    assertEquals(
        "aa ab ba", rows(new RowFilter(CompareOperator.LESS, new BinaryComparator(b("bb")))));
    assertEquals(
        "ab ba bb", rows(new RowFilter(CompareOperator.EQUAL, new SubstringComparator("B"))));
    assertEquals(
        "aa ab", rows(new RowFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(b("a")))));
    assertEquals(
        "aa bb cc",
        rows(new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("^(aa|bb|cc)$"))));
    assertEquals("ba bb", rows(new PrefixFilter(b("b"))));
    assertEquals("aa ab ba", rows(new InclusiveStopFilter(b("ba"))));
    assertEquals("aa ab", rows(new PageFilter(2)));
    assertEquals(
        "ab bb cc",
        rows(
            new MultiRowRangeFilter(
                new ArrayList<>(
                    List.of(
                        new MultiRowRangeFilter.RowRange(b("ab"), true, b("ab"), true),
                        new MultiRowRangeFilter.RowRange(b("ba"), false, b("d"), false))))));
  }

  @Test
  void columnFilters() throws Exception {
    assertEquals(
        "aa/g:three@3=v3",
        cells(new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(G)), "aa"));
    assertEquals(
        "aa/f:two@2=v2 aa/g:three@3=v3",
        cells(new QualifierFilter(CompareOperator.GREATER, new BinaryComparator(b("p"))), "aa"));
    assertEquals("aa/f:two@2=v2 aa/g:three@3=v3", cells(new ColumnPrefixFilter(b("t")), "aa"));
    assertEquals(
        "aa/f:one@1=v1aa", cells(new ColumnRangeFilter(b("a"), true, b("t"), false), "aa"));
    assertEquals("aa/f:two@2=v2", cells(new ColumnPaginationFilter(1, 1), "aa"));
    assertEquals("aa/f:one@1=v1aa", cells(new FirstKeyOnlyFilter(), "aa"));
    assertEquals("aa/f:one@1= aa/f:two@2= aa/g:three@3=", cells(new KeyOnlyFilter(), "aa"));
    assertEquals(
        "aa/f:two@2=v2 aa/g:three@3=v3", cells(new TimestampsFilter(List.of(2L, 3L)), "aa"));
  }

  @Test
  void valueFilters() throws Exception {
    assertEquals(
        "aa/f:two@2=v2",
        cells(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("v2"))), "aa"));
    assertEquals(
        "aa", rows(new ValueFilter(CompareOperator.EQUAL, new SubstringComparator("v1aa"))));
  }

  @Test
  void singleColumnValueFilters() throws Exception {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, b("one"), CompareOperator.EQUAL, b("v1ab"));
    assertEquals("ab cc", rows(filter));
    filter.setFilterIfMissing(true);
    assertEquals("ab", rows(filter));
    assertEquals(
        "ab/f:one@1=v1ab ab/f:two@2=v2 ab/g:three@3=v3", show(new Scan().setFilter(filter)));
    SingleColumnValueExcludeFilter exclude =
        new SingleColumnValueExcludeFilter(F, b("one"), CompareOperator.EQUAL, b("v1ab"));
    exclude.setFilterIfMissing(true);
    assertEquals("ab/f:two@2=v2 ab/g:three@3=v3", show(new Scan().setFilter(exclude)));
  }

  @Test
  void latestVersionOnlyLooksAtTheNewest() throws Exception {
    table.put(new Put(b("aa")).addColumn(F, b("one"), 9, b("newer")));
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, b("one"), CompareOperator.EQUAL, b("v1aa"));
    filter.setFilterIfMissing(true);
    assertEquals("", rows(new Scan().readAllVersions().setFilter(filter)));
    filter.setLatestVersionOnly(false);
    assertEquals("aa", rows(new Scan().readAllVersions().setFilter(filter)));
  }

  @Test
  void combinations() throws Exception {
    Filter a = new PrefixFilter(b("a"));
    Filter two = new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(b("two")));
    assertEquals(
        "aa/f:two@2=v2 ab/f:two@2=v2",
        show(new Scan().setFilter(new FilterList(FilterList.Operator.MUST_PASS_ALL, a, two))));
    assertEquals(
        "aa ab cc",
        rows(
            new FilterList(
                FilterList.Operator.MUST_PASS_ONE,
                new RowFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(b("a"))),
                new RowFilter(CompareOperator.EQUAL, new BinaryComparator(b("cc"))))));
    assertEquals("aa ab ba", rows(whileRow(CompareOperator.NOT_EQUAL, "bb")));
    assertEquals(
        "cc",
        rows(
            new SkipFilter(
                new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(b("v2"))))));
  }

  /**
   * A filter that ends in a region ends the scan only where that call returns nothing: with results
   * HBase lets the client go on in the next region, with a new filter ({@code RSRpcServices.scan}).
   */
  @Test
  void aFilterThatEndsAtTheBorderOfItsRegion() throws Exception {
    admin
        .splitRegionAsync(admin.getRegions(name).get(0).getRegionName(), b("b"))
        .get(1, TimeUnit.MINUTES);
    assertEquals("", rows(whileRow(CompareOperator.GREATER_OR_EQUAL, "ba")));
    assertEquals("aa ba bb cc", rows(whileRow(CompareOperator.NOT_EQUAL, "ab")));
    assertEquals("aa ab", rows(whileRow(CompareOperator.LESS, "b")));
  }

  private static Filter whileRow(CompareOperator operator, String row) {
    return new WhileMatchFilter(new RowFilter(operator, new BinaryComparator(b(row))));
  }

  @Test
  void filtersOverFilesGiveTheSame() throws Exception {
    admin.flush(name);
    singleColumnValueFilters();
    rowFilters();
    columnFilters();
  }
}
