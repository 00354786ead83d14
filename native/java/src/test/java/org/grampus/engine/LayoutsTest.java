package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The layouts of replies as this side reads them, against the file that Rust's test compares with.
 */
class LayoutsTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("grampus.testdata", "../testdata"), "boundary/layouts.txt");

  private final List<String> lines = new ArrayList<>();

  private void line(String name, int value) {
    lines.add(name + " " + value);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** MEMTABLE_BYTES is memtableBytes. */
  private static String camel(Enum<?> constant) {
    StringBuilder name = new StringBuilder();
    for (String word : lower(constant).split("_", -1)) {
      name.append(name.length() == 0 ? word.charAt(0) : Character.toUpperCase(word.charAt(0)));
      name.append(word, 1, word.length());
    }
    return name.toString();
  }

  private void replies() {
    line("get.cell_count", GetReply.CELL_COUNT);
    line("get.cell_bytes", GetReply.CELL_BYTES);
    line("get.header_bytes", GetReply.HEADER_BYTES);
    line("mutation.status", MutationReply.STATUS);
    line("mutation.error_kind", MutationReply.ERROR_KIND);
    line("mutation.payload_length", MutationReply.PAYLOAD_LENGTH);
    line("mutation.header_bytes", MutationReply.HEADER_BYTES);
    line("mutation.status.done", MutationReply.DONE);
    line("mutation.status.done_with_cells", MutationReply.DONE_WITH_CELLS);
    line("mutation.status.not_matched", MutationReply.NOT_MATCHED);
    line("mutation.status.failed", MutationReply.FAILED);
  }

  private void scanInfo() {
    line("scan_info.result_count", ScanInfo.RESULT_COUNT);
    line("scan_info.cell_bytes", ScanInfo.CELL_BYTES);
    line("scan_info.end_of_region", ScanInfo.END_OF_REGION);
    line("scan_info.filter_all_remaining", ScanInfo.FILTER_ALL_REMAINING);
    line("scan_info.stop_reason", ScanInfo.STOP_REASON);
    line("scan_info.needed_bytes", ScanInfo.NEEDED_BYTES);
    line("scan_info.rows_scanned", ScanInfo.ROWS_SCANNED);
    line("scan_info.rows_filtered", ScanInfo.ROWS_FILTERED);
    line("scan_info.bytes_scanned", ScanInfo.BYTES_SCANNED);
    line("scan_info.read_point", ScanInfo.READ_POINT);
    line("scan_info.complete_rows", ScanInfo.COMPLETE_ROWS);
    line("scan_info.last_row_length", ScanInfo.LAST_ROW_LENGTH);
    line("scan_info.results", ScanInfo.RESULTS);
    for (StopReason reason : StopReason.values()) {
      line("stop." + lower(reason), reason.code());
    }
  }

  private void calls() {
    line("completion.token", CompletionEntries.TOKEN);
    line("completion.kind", CompletionEntries.KIND);
    line("completion.entry_bytes", CompletionEntries.ENTRY_BYTES);
    line("call.done", CallStatus.DONE);
    line("call.pending", CallStatus.PENDING);
    line("call.would_block", CallStatus.WOULD_BLOCK);
    line("call.need_bytes", CallStatus.NEED_BYTES);
    line("call.overflow_done", CallStatus.OVERFLOW_DONE);
    line("call.overflow_pending", CallStatus.OVERFLOW_PENDING);
    line("call.wait", CallStatus.WAIT);
  }

  @Test
  void theLayoutsAreThoseOfTheGoldenFile() throws IOException {
    replies();
    scanInfo();
    calls();
    for (RegionStatsReply.Field field : RegionStatsReply.Field.values()) {
      line("region_stats." + camel(field), field.offset());
    }
    for (FileException.Kind kind : FileException.Kind.values()) {
      line("file_failure." + lower(kind), kind.code());
    }
    for (ErrorKind kind : ErrorKind.values()) {
      line("error." + lower(kind), kind.code());
    }
    assertEquals(Files.readAllLines(GOLDEN), lines);
  }
}
