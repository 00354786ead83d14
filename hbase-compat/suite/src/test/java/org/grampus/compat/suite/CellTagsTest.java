package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.StringJoiner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tags of cells, to a client whose codec keeps them and to one whose codec does not. */
class CellTagsTest extends CompatTest {
  private static final byte TEXT_TAG = 100;
  private static final long HOUR = 3_600_000;
  private static final byte[] ONE = Bytes.toBytes(1L);

  private Connection withTags;
  private Table tagged;

  @BeforeEach
  void connectWithTags() throws Exception {
    Configuration conf = SharedServer.get().configuration();
    conf.set(HConstants.RPC_CODEC_CONF_KEY, KeyValueCodecWithTags.class.getName());
    withTags = ConnectionFactory.createConnection(conf);
    tagged = withTags.getTable(name);
  }

  @AfterEach
  void disconnect() throws Exception {
    tagged.close();
    withTags.close();
  }

  private static Tag text(String text) {
    return new ArrayBackedTag(TEXT_TAG, text);
  }

  private static Tag ttl(long hours) {
    return new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(hours * HOUR));
  }

  private static Cell cell(byte[] value, Tag... tags) {
    return new KeyValue(
        b("r"), F, Q, HConstants.LATEST_TIMESTAMP, KeyValue.Type.Put, value, List.of(tags));
  }

  private static Put put(Tag... tags) throws Exception {
    return new Put(b("r")).add(cell(ONE, tags));
  }

  private static Increment increment(Tag... tags) throws Exception {
    return new Increment(b("r")).add(cell(ONE, tags));
  }

  private static Append append(Tag... tags) throws Exception {
    return new Append(b("r")).add(cell(ONE, tags));
  }

  /** The tags of each cell, in brackets: texts, and times to live in hours. */
  private static String tags(Result result) {
    StringJoiner cells = new StringJoiner(" ");
    for (Cell cell : result.rawCells()) {
      StringJoiner tags = new StringJoiner(" ", "[", "]");
      for (Tag tag : PrivateCellUtil.getTags(cell)) {
        tags.add(
            tag.getType() == TagType.TTL_TAG_TYPE
                ? Tag.getValueAsLong(tag) / HOUR + "h"
                : Tag.getValueAsString(tag));
      }
      cells.add(tags.toString());
    }
    return cells.toString();
  }

  /** In a batch: the stock client drops the tags of a mutation that travels inside a message. */
  private Result run(Row mutation) throws Exception {
    Object[] results = new Object[1];
    tagged.batch(List.of(mutation), results);
    return (Result) results[0];
  }

  private String stored() throws Exception {
    return tags(tagged.get(new Get(b("r"))));
  }

  private CheckAndMutate.Builder always() {
    return CheckAndMutate.newBuilder(b("r")).ifNotExists(F, b("none"));
  }

  @Test
  void getsAndScansReturnTheTagsOfPuts() throws Exception {
    run(put(text("a"), text("b")));
    assertEquals("[a b]", stored());
    assertEquals("[a b]", tags(tagged.getScanner(new Scan()).next()));
    assertEquals("[]", tags(table.get(new Get(b("r")))));
    assertEquals("[]", tags(scan(new Scan()).get(0)));
  }

  @Test
  void theTagsOfTheDeltaComeBeforeThoseOfTheCell() throws Exception {
    assertEquals("[a]", tags(run(increment(text("a")))));
    assertEquals("[b c a]", tags(run(increment(text("b"), text("c")))));
    assertEquals("[b c a]", stored());
    assertEquals("[d b c a]", tags(run(append(text("d")))));
    assertEquals("[d b c a]", tags(run(append())));
    admin.flush(name);
    assertEquals("[d b c a]", stored());
    assertEquals("[e d b c a]", tags(run(append(text("e")))));
  }

  @Test
  void theTimeToLiveOfTheMutationIsTheLastTag() throws Exception {
    run(put(text("a")).setTTL(HOUR));
    assertEquals("[a 1h]", stored());
    assertEquals("[b a 1h]", tags(run(increment(text("b")))));
    assertEquals("[c b a 2h]", tags(run(increment(text("c")).setTTL(2 * HOUR))));
    assertEquals("[c b a 2h]", stored());
    assertEquals("[d c b a 3h]", tags(run(append(text("d")).setTTL(3 * HOUR))));
    assertEquals("[d c b a 3h]", stored());
  }

  /** HBase's answer has no tags here: storing the cell clears those of the one that it answers. */
  @Test
  void aNewColumnIsStoredWithTheTimeToLiveBehindItsTags() throws Exception {
    run(increment(ttl(1), text("a")).setTTL(2 * HOUR));
    assertEquals("[a 2h]", stored());
    assertEquals("[b a 2h]", tags(run(append(text("b")))));
  }

  @Test
  void theTimesToLiveOfDeltaAndCellAreBothCarried() throws Exception {
    run(put(text("a")).setTTL(HOUR));
    assertEquals("[2h b a 1h]", tags(run(increment(ttl(2), text("b")))));
    assertEquals("[2h b a 1h]", stored());
  }

  @Test
  void theTimeToLiveOfTheMutationTakesThePlaceOfOneTagInTheAnswerAndOfTwoInTheCell()
      throws Exception {
    run(put(text("a")).setTTL(HOUR));
    assertEquals("[b a 1h 3h]", tags(run(increment(ttl(2), text("b")).setTTL(3 * HOUR))));
    assertEquals("[b a 3h 3h]", stored());
    assertEquals("[b a 3h 4h]", tags(run(append().setTTL(4 * HOUR))));
    assertEquals("[b a 4h 4h]", stored());
    assertEquals("[b a 4h 4h]", tags(run(append())));
  }

  @Test
  void anIncrementUnderAConditionReturnsTags() throws Exception {
    run(put(text("a")));
    Result result =
        tagged.checkAndMutate(always().build(increment(text("b")).setTTL(HOUR))).getResult();
    assertEquals("[a 1h]", tags(result));
    result = tagged.checkAndMutate(always().build(append(text("c")))).getResult();
    assertEquals("[a 1h]", tags(result));
  }

  @Test
  void batchesReturnTags() throws Exception {
    run(put(text("a")));
    Get get = new Get(b("r"));
    Put other = new Put(b("s")).addColumn(F, Q, ONE);
    List<Row> actions =
        List.of(
            get,
            increment(text("b")),
            other,
            append(text("c")).setReturnResults(false),
            get,
            append(text("d")).setTTL(HOUR),
            increment(text("e")),
            get);
    Object[] results = new Object[actions.size()];
    try {
      tagged.batch(actions, results);
    } catch (IOException e) {
      // the increment of what two appends made longer
    }
    StringJoiner found = new StringJoiner(", ");
    for (Object result : results) {
      found.add(result instanceof Result answer ? tags(answer) : "failed");
    }
    assertEquals("[a], [b a], , , [c b a], [d c b a 1h], failed, [d c b a 1h]", found.toString());
  }

  @Test
  void groupsReturnNoTags() throws Exception {
    run(put(text("a")));
    assertEquals("[]", tags(tagged.mutateRow(new RowMutations(b("r")).add(increment()))));
    RowMutations appended = new RowMutations(b("r")).add(append());
    Result result = tagged.checkAndMutate(always().build(appended)).getResult();
    assertEquals("[]", tags(result));
    List<CheckAndMutate> two = List.of(always().build(append()), always().build(append()));
    for (CheckAndMutateResult each : tagged.checkAndMutate(two)) {
      assertEquals("[]", tags(each.getResult()));
    }
    assertEquals("[a]", stored());
  }

  @Test
  void aCodecWithoutTagsReturnsNone() throws Exception {
    run(put(text("a")).setTTL(HOUR));
    assertEquals("[]", tags(table.increment(increment().setTTL(HOUR))));
    assertEquals("[]", tags(table.append(append())));
    assertEquals("[]", tags(table.checkAndMutate(always().build(append())).getResult()));
    Object[] results = new Object[2];
    table.batch(List.of(append(), new Get(b("r"))), results);
    assertEquals("[]", tags((Result) results[0]));
    assertEquals("[]", tags((Result) results[1]));
    assertEquals("[a 1h]", stored());
  }
}
